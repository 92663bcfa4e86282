/** The long run (`npm run soak`), which goes through everything that the daily run leaves out. */
const isSoak = process.env.SOAK === '1'

/** How many random cases a property has: a few daily, which are the same each day, and many new ones in the long run. */
export const cases = ({ daily, soak }: { readonly daily: number; readonly soak: number }) =>
  isSoak ? { numRuns: soak } : { numRuns: daily, seed: 20_260_105 }

/** Rows of a table: one of each kind daily, and all of them in the long run. */
export const rows = <Row>(all: readonly Row[], isDaily: (row: Row, at: number) => boolean): readonly Row[] =>
  isSoak ? all : all.filter(isDaily)

/** Says yes to the first row of each kind. */
export function firstOfEach<Row>(kindOf: (row: Row) => unknown): (row: Row) => boolean {
  const seen = new Set<string>()
  return row => {
    const kind = JSON.stringify(kindOf(row))
    return seen.size < seen.add(kind).size
  }
}
