/**
 * Text that has a UTF-8 form.
 *
 * @module
 */

/**
 * Whether text holds no half of a surrogate pair. In Node.js 20 already; its type comes with the ES2024 library. It costs
 * nothing for text within Latin-1.
 */
export const isWellFormed = (text: string): boolean =>
  (text as string & { readonly isWellFormed: () => boolean }).isWellFormed()
