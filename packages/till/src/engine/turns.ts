/** A turn at a payment. */
export interface Turn {
  /** Resolves once those before it are over. Absent: it begins at once. */
  readonly begins: Promise<void> | undefined
  end(): void
}

/** Gives turns at payments. */
export type Turns = (key: string) => Turn

/**
 * Makes turns: those who read and write one payment in this process do so one after the other. Other processes may write meanwhile.
 */
export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>()
  return key => {
    const before = last.get(key)
    let end = (): void => {}
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    const over = before === undefined ? ended : before.then(() => ended)
    last.set(key, over)
    return {
      begins: before,
      end() {
        end()
        if (last.get(key) === over) last.delete(key)
      },
    }
  }
}
