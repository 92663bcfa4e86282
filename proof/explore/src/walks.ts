import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** How work is shared among processes. */
export interface Shared<Asked, Answer> {
  /** The program of each process. It answers each message by one. */
  readonly program: URL
  readonly processes: number
  /** Arguments of each process. Default: none. */
  readonly parameters?: readonly string[]
  /** Options of Node.js for each process. Default: those of this one. */
  readonly options?: readonly string[]
  /** Whether a process that has given such answers is to end, and another one to take its place. Default: it never is. */
  readonly isWorn?: (answers: readonly Answer[]) => boolean
  /** The last thing that each process is asked before it ends. Absent: nothing. */
  readonly last?: Asked
}

/**
 * Has several processes work at once.
 *
 * @param heard Told of each answer as soon as it is there.
 */
export async function askAll<Asked extends object, Answer>(
  all: readonly Asked[],
  {
    program,
    processes,
    parameters = [],
    options = process.execArgv,
    isWorn = () => false,
    last,
  }: Shared<Asked, Answer>,
  heard: (asked: Asked, answer: Answer) => void,
): Promise<void> {
  const waiting = [...all]
  const one = async (): Promise<void> => {
    while (waiting.length > 0) {
      const worker = fork(fileURLToPath(program), [...parameters], { execArgv: [...options] })
      const died = new Promise<never>((_, reject) => {
        worker.once('exit', (code, signal) => {
          reject(new Error(`A process ended in the middle of its work, with ${code ?? signal}.`))
        })
      })
      // Once nothing is left to do, that it ends is no error.
      died.catch(() => {})
      const ask = (asked: Asked): Promise<Answer> => Promise.race([answerOf<Answer>(worker, asked), died])
      const answers: Answer[] = []
      for (let asked = waiting.shift(); asked !== undefined; asked = isWorn(answers) ? undefined : waiting.shift()) {
        const answer = await ask(asked)
        answers.push(answer)
        heard(asked, answer)
      }
      if (last !== undefined) heard(last, await ask(last))
      worker.disconnect()
    }
  }
  await Promise.all(Array.from({ length: processes }, one))
}

const answerOf = <Answer>(worker: ChildProcess, asked: object): Promise<Answer> =>
  new Promise(resolve => {
    worker.once('message', answer => resolve(answer as Answer))
    worker.send(asked)
  })
