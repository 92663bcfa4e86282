/**
 * Stores of the limit, which do what four writes take and nothing else. Each has `insertOrder` for the merchant's row, `write` for a sale's
 * text under its key, `writeWithOrder`, which marks the merchant's row in the same commit, and `statements`, which counts.
 */

/** @param isBatched Whether writes that wait share a commit. */
export async function openStore(engine, options) {
  if (engine === 'memory') return memory()
  const { open } = await import(`./${engine}.js`)
  return open(options)
}

function memory() {
  const documents = new Map()
  const orders = new Map()
  let writes = 0
  const write = async (key, body) => {
    writes += 1
    documents.set(key, body)
  }
  return {
    insertOrder: async () => {},
    write,
    async writeWithOrder(key, body, amount) {
      orders.set(key, { state: 'paid', amount })
      await write(key, body)
    },
    statements: () => writes,
  }
}
