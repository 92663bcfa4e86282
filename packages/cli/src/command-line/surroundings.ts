/** What the command needs of the process. */
export interface Surroundings {
  /** Arguments, without the program's name. */
  readonly words: readonly string[]
  readonly version: string
  /** Writes the result, to the standard output. */
  readonly say: (text: string) => void
  /** Writes everything else, to the standard error output. */
  readonly complain: (text: string) => void
  /** Reads the standard input to its end. @param ask What a person at a terminal is asked for. */
  readonly input: (ask: string) => Promise<string>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stopped: Promise<unknown>
  /** Characters in a line of the standard output, and which outputs a person looks at. Default: no person does, and 80. */
  readonly terminal?: { readonly columns: number; readonly colours: boolean; readonly progress: boolean }
  /** Where packages are looked for that only some commands need: where the command was started, then where it is installed. */
  readonly folders: readonly string[]
  /** Packages that are loaded already, by name: they are not looked for. Default: none. */
  readonly packages?: Readonly<Record<string, object>>
  readonly newControlKey: () => string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Resolves after so many milliseconds, and rejects when `signal` aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
  /** From 0 to below 1; spreads repeated questions out, and begins the identifiers of a gateway. */
  readonly random: () => number
}
