/** Types of result.js, for the commands that write one. */

interface Run {
  /** The script, such as `npm run traces`. */
  readonly run: string
  readonly startedAt: Date
}

export declare function writeResult(
  name: string,
  result: Run & { readonly figures: object; readonly violations: readonly string[] },
): void

export declare function writeParts<Figures extends object>(
  name: string,
  result: Run & {
    readonly parts: Readonly<Record<string, Figures>>
    readonly violationsOf: (parts: Readonly<Record<string, Figures>>) => readonly string[]
  },
): void
