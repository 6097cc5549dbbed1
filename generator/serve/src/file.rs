//! Files over HTTP: conditional requests, and ranges of bytes.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use headers::{
    AcceptRanges, CacheControl, ContentLength, ContentRange, ContentType, ETag, HeaderMapExt,
    IfNoneMatch, IfRange, Range as Ranges,
};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::{self, Write};
use std::ops::{Bound, Range};

/// A file that is served.
pub(crate) struct File {
    /// Media type of the file.
    pub kind: &'static str,
    /// A number that changes with the bytes of the file.
    pub version: u64,
    pub length: u64,
}

impl File {
    /// Answers a request for the file with the bytes that `read` returns: all of them, or one range. Several ranges, and a range
    /// of an older version, are answered with the whole file.
    pub(crate) fn answer(
        &self,
        method: &Method,
        asked: &HeaderMap,
        read: impl FnOnce(Range<u64>) -> Body,
    ) -> Response {
        let tag: ETag = format!("\"{:016x}\"", self.version).parse().expect("a quoted number");
        let mut headers = HeaderMap::new();
        headers.typed_insert(tag.clone());
        // A later file of the same name may be different.
        headers.typed_insert(CacheControl::new().with_no_cache());
        headers.typed_insert(AcceptRanges::bytes());
        let condition = asked.typed_get::<IfNoneMatch>();
        if condition.is_some_and(|condition| !condition.precondition_passes(&tag)) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        headers.typed_insert(self.kind.parse::<ContentType>().expect("a media type"));
        let is_older = asked
            .typed_get::<IfRange>()
            .is_some_and(|version| version.is_modified(Some(&tag), None));
        let ranges = asked.typed_get::<Ranges>().filter(|_| *method == Method::GET && !is_older);
        let found = ranges.map(|ranges| self.ranges(&ranges));
        let (status, range) = match found.as_deref() {
            Some([]) => {
                headers.typed_insert(ContentRange::unsatisfied_bytes(self.length));
                return (StatusCode::RANGE_NOT_SATISFIABLE, headers).into_response();
            }
            Some([range]) => {
                let content = ContentRange::bytes(range.clone(), self.length);
                headers.typed_insert(content.expect("a range inside the file"));
                (StatusCode::PARTIAL_CONTENT, range.clone())
            }
            _ => (StatusCode::OK, 0..self.length),
        };
        headers.typed_insert(ContentLength(range.end - range.start));
        let body = if *method == Method::HEAD { Body::empty() } else { read(range) };
        (status, headers, body).into_response()
    }

    /// Lists the ranges of a request that are inside the file, at most two.
    fn ranges(&self, ranges: &Ranges) -> Vec<Range<u64>> {
        // The header names the first and the last byte; either may be missing.
        let byte = |bound| if let Bound::Included(byte) = bound { Some(byte) } else { None };
        let ends = |(first, last): (Bound<u64>, Bound<u64>)| {
            let end = byte(last).map_or(self.length, |last: u64| last.saturating_add(1));
            byte(first).unwrap_or(0)..end.min(self.length)
        };
        let ranges = ranges.satisfiable_ranges(self.length).map(ends);
        ranges.filter(|range| !range.is_empty()).take(2).collect()
    }
}

/// A file in memory.
pub(crate) struct Loaded {
    file: File,
    pub bytes: Bytes,
}

impl Loaded {
    /// Describes a file by its bytes.
    pub(crate) fn new(kind: &'static str, bytes: Bytes) -> Loaded {
        let version = BuildHasherDefault::<DefaultHasher>::default().hash_one(&bytes);
        Loaded { file: File { kind, version, length: bytes.len() as u64 }, bytes }
    }

    /// Packs the file by gzip.
    pub(crate) fn packed(&self) -> io::Result<Loaded> {
        let mut packing = GzEncoder::new(Vec::new(), Compression::default());
        packing.write_all(&self.bytes)?;
        Ok(Loaded::new(self.file.kind, packing.finish()?.into()))
    }

    /// Answers a request for the file.
    pub(crate) fn answer(&self, method: &Method, asked: &HeaderMap) -> Response {
        self.file.answer(method, asked, |Range { start, end }| {
            Body::from(self.bytes.slice(start as usize..end as usize))
        })
    }
}
