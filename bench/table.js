/** Writes measured rows as a Markdown table, thresholds beside results. */

/**
 * One row: `ratio` is what was measured; `atLeast` or `atMost` is what is asked for, if it asks for anything;
 * `microseconds` and `perSecond` are the medians behind it, by name. `least` and `most` are what other runs measured.
 */
export function tableOf(rows) {
  return [
    '| | measured | asked for | met | medians of one call |',
    '|---|---|---|---|---|',
    ...rows.map(
      row => `| ${row.name}: ${row.against} | ${measured(row)} | ${asked(row)} | ${met(row)} | ${medians(row)} |`,
    ),
  ].join('\n')
}

/** Whether a row is what was asked for; a row of which nothing was asked is. */
export const isMet = ({ ratio, atLeast = -Infinity, atMost = Infinity }) => ratio >= atLeast && ratio <= atMost

const measured = ({ ratio, least = ratio, most = ratio }) =>
  round(least) === round(most) ? round(ratio) : `${round(ratio)} (${round(least)} to ${round(most)})`

const round = number => number.toFixed(2)

function asked({ atLeast, atMost }) {
  if (atLeast !== undefined) return `at least ${atLeast}`
  return atMost === undefined ? '' : `at most ${atMost}`
}

function met(row) {
  if (asked(row) === '') return ''
  return isMet(row) ? 'yes' : '**no**'
}

function medians({ microseconds = {}, perSecond = {} }) {
  return [
    ...Object.entries(microseconds).map(([name, time]) => `${name} ${written(time)}`),
    ...Object.entries(perSecond).map(([name, calls]) => `${name} ${Math.round(calls)} a second`),
  ].join(', ')
}

const written = time => (time >= 1000 ? `${round(time / 1000)} ms` : `${round(time)} µs`)
