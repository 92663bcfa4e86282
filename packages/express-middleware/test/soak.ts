/** The long run (`npm run soak`), which lives through everything that the daily run leaves out. */
const isSoak = process.env.SOAK === '1'

/** Rows of a table: one of each kind daily, and all of them in the long run. */
export const rows = <Row>({ daily, soak }: { readonly daily: readonly Row[]; readonly soak: readonly Row[] }) =>
  isSoak ? soak : daily

/** The first row of each kind. */
export const oneOfEachKind = <Row>(all: readonly Row[], kindOf: (row: Row) => string): readonly Row[] =>
  all.filter((row, at) => all.findIndex(other => kindOf(other) === kindOf(row)) === at)
