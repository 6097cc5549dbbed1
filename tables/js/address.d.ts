/** The address of a table's file, for bundlers that copy imported files. */
declare const address: string;
export default address;
