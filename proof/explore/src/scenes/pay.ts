/** A payment that is asked for several times, by one account or by two, by processes that tell the handler or leave that to others. */
import { type Exploration, exploreScene, nameOf } from '../pay/pay.js'
import type { Scene } from './scene.js'

const otherGateway = { absence: 'as it refuses', usedIds: 'second-order' } as const
const slower: Exploration = { scene: 'a slow process', budget: { presses: 2, slowTicks: 2 } }

const alone: readonly Exploration[] = [
  { scene: 'two presses' },
  { scene: 'a crash anywhere' },
  { scene: 'a lost answer of a request' },
  { scene: 'a lost answer of a write' },
  { scene: 'a slow process' },
  { scene: 'a decline' },
  { scene: 'a word that is taken back' },
  { scene: 'a question without an answer' },
  { scene: 'a lifetime that is over' },
  { scene: 'a form that is not replaced' },
  { scene: 'a form that takes another card' },
  { scene: 'a decision by a person' },
  { scene: 'a decision by a person', budget: { presses: 2, lostAnswers: 1, decisions: 2 } },
  { scene: 'a decision by a person', budget: { presses: 2, lostAnswers: 1, decisions: 1, crashes: 1 } },
  { scene: 'a decision by a person', budget: { presses: 2, lostAnswers: 1, decisions: 1, lostWrites: 1 } },
  { scene: 'a decision by a person', budget: { presses: 2, lostAnswers: 1, decisions: 1, slowTicks: 1 } },
  { scene: 'a decision by a person', usedIds: 'second-order' },
  { scene: 'a pause' },
  { scene: 'a restored store' },
  { scene: 'another amount' },
  { scene: 'another amount, and a form that ends' },
  { scene: 'another amount, and a form that ends', budget: { presses: 2, begins: 1 } },
  { scene: 'another amount, and a form that ends', budget: { presses: 2, crashes: 1, slowTicks: 1 } },
  { scene: 'another amount, and a form that is replaced' },
  { scene: 'another amount, and a form that a person gives up' },
  { scene: 'another amount, and a form that a person gives up', budget: { presses: 2, abandons: 1, begins: 1 } },
  { scene: 'another amount, and a form that a person gives up', budget: { presses: 2, abandons: 1, crashes: 1 } },
  { scene: 'settings that change' },
  { scene: 'settings that change', budget: { presses: 2, settings: 1, lostAnswers: 1 } },
  { scene: 'settings that change', budget: { presses: 2, settings: 1, declines: 1, asks: 1 } },
  { scene: 'a crash anywhere', budget: { presses: 3, crashes: 1 } },
  { scene: 'a crash anywhere', budget: { presses: 2, crashes: 1, lostWrites: 1, lostAnswers: 1 } },
  { scene: 'a lost answer of a request', budget: { presses: 3, lostAnswers: 1 }, usedIds: 'second-order' },
  slower,
  { scene: 'a decline', budget: { presses: 3, declines: 1, asks: 1 } },
  { scene: 'a decline', budget: { presses: 2, declines: 1, asks: 1, lostWrites: 1, lostAnswers: 1 } },
  { scene: 'a decline', budget: { presses: 2, declines: 1, asks: 1, slowTicks: 1 } },
  { scene: 'a word that is taken back', budget: { presses: 3, declines: 1, asks: 1, corrections: 1 } },
  { scene: 'a word that is taken back', budget: { presses: 2, declines: 1, asks: 1, corrections: 1, crashes: 1 } },
  { scene: 'a question without an answer', budget: { presses: 3, declines: 1, asks: 1, lostQuestions: 1 } },
  { scene: 'a question without an answer', budget: { presses: 3, crashes: 1, lostQuestions: 1 }, ...otherGateway },
  { scene: 'a form whose address was lost' },
  { scene: 'a form whose address was lost', budget: { presses: 2, lostAnswers: 1, crashes: 1, asks: 2 } },
  { scene: 'a lifetime that is over', budget: { presses: 3 }, goesOn: false },
  { scene: 'a lifetime that is over', budget: { presses: 2, crashes: 1, begins: 1 }, goesOn: false },
  { scene: 'a lifetime that is over', budget: { presses: 2, slowTicks: 1 } },
  { scene: 'a form that takes another card', budget: { presses: 2, declines: 1, asks: 1 } },
  { scene: 'a pause', budget: { presses: 3, declines: 1, asks: 1, pauses: 1 } },
  { scene: 'a pause', budget: { presses: 2, slowTicks: 1, pauses: 1 } },
  { scene: 'a restored store', budget: { presses: 3, restores: 1, lostQuestions: 1 }, ...otherGateway },
  { scene: 'a restored store', budget: { presses: 3, restores: 1, crashes: 1 }, usedIds: 'second-order' },
  { scene: 'a restored store', budget: { presses: 2, restores: 1, slowTicks: 1 } },
  { scene: 'a restored store', budget: { presses: 3, restores: 1 }, replaceOpenForm: true },
  { scene: 'a restored store', budget: { presses: 2, restores: 1, declines: 1, asks: 1 } },
  { scene: 'another amount', budget: { presses: 2, crashes: 1, lostWrites: 1, lostAnswers: 1 } },
  { scene: 'another amount, and a form that is replaced', budget: { presses: 2, declines: 1, asks: 1 } },
]

const pressedTwice = { presses: 2, declines: 1 }
const takenBack = { ...pressedTwice, asks: 1, corrections: 1 }
const notReplaced = 'a form that is not replaced'
const byCommits = { scene: 'a word that is taken back', tells: 'by commits' } as const
const byMarks = { scene: 'a word that is taken back', tells: 'by marks' } as const

/** The process tells the handler what it learns. */
const telling: readonly Exploration[] = [
  { ...byCommits, scene: notReplaced, budget: { ...pressedTwice, corrections: 1 }, goesOn: false },
  { ...byMarks, scene: notReplaced, budget: { ...pressedTwice, crashes: 1 } },
  { ...byMarks, scene: notReplaced, budget: { ...pressedTwice, lostWrites: 1 } },
  { ...byCommits, scene: notReplaced, budget: { ...pressedTwice, lostCommits: 1 } },
  { ...byCommits, scene: notReplaced, budget: { ...pressedTwice, failures: 1 } },
  { ...byCommits, scene: 'a decline' },
  { ...byMarks, scene: 'a decline' },
  { ...byCommits },
  { ...byMarks, budget: { ...takenBack, presses: 3 } },
  { ...byCommits, budget: { ...takenBack, crashes: 1 } },
  { ...byMarks, budget: { ...takenBack, crashes: 1 } },
  { ...byCommits, budget: { ...takenBack, lostWrites: 1 } },
  { ...byMarks, budget: { ...takenBack, lostWrites: 1 } },
  { ...byCommits, budget: { ...takenBack, lostCommits: 1 } },
  { ...byMarks, budget: { ...takenBack, failures: 1 } },
  { ...byCommits, budget: { ...takenBack, lostQuestions: 1 } },
  { ...byCommits, scene: 'a form that is not replaced', budget: { presses: 3, declines: 1 } },
]

const two = { accounts: ['merchant', 'merchant-2'] } as const
const named = { ...two, namesAccount: true, goesOn: false } as const
const restored = { presses: 2, restores: 1 }

/** Two accounts ask for it. */
const ofTwoAccounts: readonly Exploration[] = [
  { scene: 'two presses', ...two },
  { scene: 'a lost answer of a request', ...two },
  { scene: 'a decline', ...named },
  { scene: 'a restored store', budget: restored, ...two },
  { scene: 'a restored store', budget: { ...restored, lostQuestions: 1 }, ...named },
  { scene: 'a restored store', budget: { presses: 2, restores: 1, crashes: 1 }, ...two },
  { scene: 'a decline', ...two },
  { scene: 'a word that is taken back', ...two },
  { scene: 'a restored store', ...two },
  { scene: 'a restored store', budget: { presses: 2, restores: 1, declines: 1, asks: 1 }, ...two },
  { scene: 'a restored store', budget: { presses: 3, restores: 1, lostQuestions: 1 }, ...otherGateway, ...two },
  { scene: 'a restored store', budget: { presses: 3, restores: 1 }, ...named },
  { scene: 'a restored store', budget: { presses: 2, restores: 1, slowTicks: 1 }, ...two },
  { scene: 'settings that change', budget: { presses: 3, settings: 1 }, ...two },
]

export const explorations: readonly Exploration[] = [...alone, ...telling, ...ofTwoAccounts]

export const pay: readonly Scene[] = explorations.map(each => ({
  name: `pay: ${nameOf(each)}`,
  walk: look => exploreScene({ ...each, ...(look === undefined ? {} : { look }) }),
}))
