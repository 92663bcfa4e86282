import type { FaultOptions, OutcomePlan } from '@tillkit/testing'

/** What a sentence arms. Each fault strikes once. */
export interface FaultPreset {
  readonly fault: FaultOptions
  /** What the acquirer has to decide before the fault means anything. */
  readonly outcome?: OutcomePlan
  /** What will happen, where the sentence of the fault says too little. */
  readonly does?: string
}

const tenSeconds = 10_000

/** What a person wants to see a shop go through, in a person's words. */
export const faultPresets: Readonly<Record<string, FaultPreset>> = {
  'The answer is lost after the money moved': { fault: { fault: 'commit-then-drop' } },
  'A proxy sends the request twice': { fault: { fault: 'repeated-on-the-way' } },
  'Callback twice': { fault: { fault: 'callback-twice' } },
  'Callback before the answer': { fault: { fault: 'callback-before-answer' } },
  'Bank says no, then yes': {
    fault: { fault: 'corrected-later', status: 'approved', delay: tenSeconds },
    outcome: { outcome: 'declined' },
    does: 'The next payment is declined; ten seconds later, on the clock above, the gateway says approved.',
  },
  'Ten seconds late': {
    fault: { fault: 'slow-body', delay: tenSeconds },
    does: 'Carries the next operation out and begins its answer; the rest of it comes ten seconds later, on the clock above.',
  },
}
