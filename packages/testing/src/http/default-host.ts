/**
 * The name of a gateway that does not listen.
 *
 * @module
 */

/** Of a top-level domain that is reserved for tests. @see RFC 6761, section 6.2 */
export const defaultHost = 'gateway.test'
