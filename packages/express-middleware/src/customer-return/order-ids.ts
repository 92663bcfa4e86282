/**
 * What the option `order` is called with.
 *
 * @module
 */

/**
 * Ids to look an order up by. A function that takes them for text was written for an id alone: it fails with the cure, and
 * does not look for an order named `[object Object]`.
 */
export function orderIds<Ids extends { readonly clientOrderId: string }>(ids: Ids): Ids {
  return Object.defineProperty({ ...ids }, Symbol.toPrimitive, { value: refuseText })
}

function refuseText(): never {
  throw new TypeError(
    'Option "order" took what it is called with for text. It is called with an object: write ' +
      'order: ({ clientOrderId }) => findOrder(clientOrderId). Status was not asked.',
  )
}
