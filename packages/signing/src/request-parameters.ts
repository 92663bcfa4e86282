/**
 * Request parameters and their normalization, RFC 5849 sections 3.4.1.3.1 and 3.4.1.3.2.
 *
 * @module
 */

/** One request parameter, decoded. Names may repeat; order does not matter to a signature but does to a form body. */
export type Parameter = readonly [name: string, value: string]
