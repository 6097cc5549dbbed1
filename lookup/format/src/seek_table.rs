//! The seek table of a packed file; the reader's, in `lookup/src/packed`, describes its layout.

const SKIPPABLE: u32 = 0x184D_2A5E;
const MAGIC: u32 = 0x8F92_EAB1;
const FOOTER: u64 = 9;

/// The bytes of a seek table for frames of these packed and unpacked lengths.
pub fn seek_table(frames: &[(u32, u32)]) -> Vec<u8> {
    let length = frames.len() as u64 * 8 + FOOTER;
    let mut bytes = Vec::with_capacity((8 + length) as usize);
    bytes.extend(SKIPPABLE.to_le_bytes());
    bytes.extend((length as u32).to_le_bytes());
    for (packed, unpacked) in frames {
        bytes.extend(packed.to_le_bytes());
        bytes.extend(unpacked.to_le_bytes());
    }
    bytes.extend((frames.len() as u32).to_le_bytes());
    bytes.push(0);
    bytes.extend(MAGIC.to_le_bytes());
    bytes
}
