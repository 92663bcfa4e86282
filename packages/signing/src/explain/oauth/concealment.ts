/** How many neighbouring letters and digits of a hidden value are too many. */
const pieceLength = 4

/**
 * Remembers values that must not be seen. Only pieces of four characters are compared, so work grows with the length of the
 * texts and not with the number of values. For the same reason a text pieced together from several values counts as one.
 */
export function concealmentOf(hidden: readonly string[]) {
  const pieces = piecesOf(hidden)
  return {
    /** Gives `***` for a text that holds a hidden value of four letters and digits or more, else the text. */
    conceal: (text: string): string => (readingsOf(text).some(reading => holdsValue(reading, pieces)) ? '***' : text),
    /**
     * Tells whether `text` holds four neighbouring characters of a hidden value, or all of a shorter one, more often than
     * `shown` does, which is seen anyway.
     */
    betrays(text: string, shown: string): boolean {
      const seen = readingsOf(shown)
      return readingsOf(text).some((reading, index) => {
        const allowed = count(seen[index] ?? seen.at(-1) ?? '', pieces)
        return [...count(reading, pieces)].some(([piece, times]) => times > (allowed.get(piece) ?? 0))
      })
    },
  }
}

/** For each piece of a hidden value: how long the shortest value is that holds it. A piece is up to four bytes in one number. */
type Pieces = ReadonlyMap<number, number>

/** Writes one more byte behind those in `piece`; of five, the first falls off. */
const append = (piece: number, reading: string, at: number): number => ((piece << 8) | reading.charCodeAt(at)) >>> 0

function piecesOf(hidden: readonly string[]): Pieces {
  const pieces = new Map<number, number>()
  for (const reading of hidden.flatMap(readingsOf)) {
    const { length } = reading
    let piece = 0
    for (let at = 0; at < length; at += 1) {
      piece = append(piece, reading, at)
      const isWhole = at + 1 >= Math.min(pieceLength, length)
      if (isWhole && length < (pieces.get(piece) ?? Number.POSITIVE_INFINITY)) pieces.set(piece, length)
    }
  }
  return pieces
}

/** Whether there is a run of pieces as long as a value that holds one of them; a whole value is such a run. */
function holdsValue(reading: string, pieces: Pieces): boolean {
  let piece = 0
  let run = 0
  let shortest = Number.POSITIVE_INFINITY
  for (let at = 0; at < reading.length; at += 1) {
    piece = append(piece, reading, at)
    const length = at + 1 < pieceLength ? undefined : pieces.get(piece)
    run = length === undefined ? 0 : run + 1
    shortest = length === undefined ? Number.POSITIVE_INFINITY : Math.min(shortest, length)
    if (run + pieceLength - 1 >= shortest) return true
  }
  return false
}

function count(reading: string, pieces: Pieces): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (let from = 0; from < reading.length; from += 1) {
    let piece = 0
    for (let at = from; at < Math.min(from + pieceLength, reading.length); at += 1) {
      piece = append(piece, reading, at)
      if (pieces.has(piece)) counts.set(piece, (counts.get(piece) ?? 0) + 1)
    }
  }
  return counts
}

/** How often escapes are decoded: a base string encodes twice, people once too often, and a mistake once more. */
const mostDecodings = 4

/**
 * Reads a text as it is, then with its escapes decoded once more each time. Only letters, in lower case, digits and the bytes
 * of what is not ASCII are kept, one character a byte: spaces, their `+` and separators make no difference.
 */
function readingsOf(text: string): readonly string[] {
  const readings: string[] = []
  let bytes = Buffer.from(text).toString('latin1')
  for (;;) {
    readings.push(bytes.replace(/[^a-z0-9\u0080-\u00ff]+/gi, '').toLowerCase())
    const decoded = bytes.replace(/%([0-9a-f]{2})/gi, (_escape, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    if (decoded === bytes || readings.length > mostDecodings) return readings
    bytes = decoded
  }
}
