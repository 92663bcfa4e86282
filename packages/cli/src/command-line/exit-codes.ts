/** How a command ends, in numbers and in words. docs/command.md shows this table. */
export const exitCodes = {
  done: { code: 0, means: 'It is done; what was asked about is right, or approved.' },
  failed: { code: 1, means: 'It failed, was refused or declined, or something wrong was found.' },
  usage: { code: 2, means: 'An argument, a setting or a file is wrong. Nothing was sent.' },
  'not-known': {
    code: 3,
    means: 'It cannot be told: an answer or a key to judge by is missing. Asking changed nothing.',
  },
  processing: { code: 4, means: 'The gateway has taken it, and it is not known yet how it ends.' },
  unknown: { code: 5, means: 'No answer came, and money may have moved. Never send it again: ask status.' },
  checked: { code: 6, means: 'It was checked and is right, and nothing was sent yet. The same command sends it.' },
  interrupted: { code: 130, means: 'You ended it with Ctrl+C.' },
} as const satisfies Readonly<Record<string, { readonly code: number; readonly means: string }>>

/** How a command ended. */
export type Ending = keyof typeof exitCodes
