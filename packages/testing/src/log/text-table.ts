/**
 * Writes rows under their titles, every column as wide as its widest cell. A column with nothing in it is left out, and
 * what would break a line or command a terminal becomes a space.
 */
export function textTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = titles.flatMap((_, column) => (rows.some(row => (row[column] ?? '') !== '') ? [column] : []))
  const lines = [titles, ...rows].map(row => columns.map(column => plain(row[column] ?? '')))
  const widths = columns.map((_, index) => Math.max(...lines.map(line => line[index]?.length ?? 0)))
  return lines
    .map(line =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const plain = (cell: string): string => cell.replace(/\p{Cc}+/gu, ' ')
