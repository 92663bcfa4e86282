import { wrap } from '../command-line/wrap.js'

/** Breaks what is longer than a line, beside its label; tables stay as they are. */
export function layOut(report: string, columns: number): string {
  const label = 17
  return report
    .split('\n')
    .flatMap(line => {
      if (!line.startsWith('  ')) return / {2}/.test(line) ? [line] : wrap(line, columns)
      return wrap(line.slice(label), columns - label).map(
        (part, at) => (at === 0 ? line.slice(0, label) : ' '.repeat(label)) + part,
      )
    })
    .join('\n')
}
