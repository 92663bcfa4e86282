/** Asks status, as an account's asker does: when a question was put, and when its answer had come, is the run's own view of the store's time. */
import type { Answer, Question } from '../../../../packages/till/src/rules/answer.js'
import { gatewayUrl } from '../gateway/books.js'
import { statusOf } from '../gateway/status.js'
import type { Life } from '../life.js'
import { kill, type Living } from './driver.js'

/** Longest time that an answer is waited for, in milliseconds. */
const [patience, briefly] = [30_000, 5_000]

/** How long a question is on its way, and its answer, in milliseconds. @param step Which event of its run it follows. */
export function askTakes(life: Life, run: string, step: number): { readonly there: number; readonly back: number } {
  const label = `${run} ${step} asks`
  return { there: life.takes(label, 5, 200), back: life.takes(`${label} back`, 5, 200) }
}

export function asks(life: Life, living: Living, question: Question, isBrief: boolean): void {
  const { id, steps, time, process } = living
  const fault = life.fault('ask')
  if (fault?.what === 'dies') {
    kill(life, process)
    return
  }
  const askedAt = time.now().earliest
  const heard = process.absences
  const about = `${question.login} ${question.clientOrderId}`
  const begun = process.clocks.monotonic()
  const { there, back } = askTakes(life, id, steps)
  living.later(there, () => {
    const said = statusOf(life, question)
    const most = isBrief ? briefly : patience
    const takes = fault?.what === 'slow' ? Math.floor(most * 1.2 * fault.by) : back
    const isLost = said === 'silent' || fault?.what === 'unanswered' || takes > most
    living.later(isLost ? most : takes, () => {
      const when = { question, askedAt, answeredAt: time.now().latest }
      const answer = isLost ? ({ ...when, kind: 'no-answer', cause: new Error('No answer.') } as const) : answerOf(when)
      if (answer.kind === 'never-seen') {
        const before = heard.get(about) ?? []
        heard.set(about, [...before.slice(-4), { answeredAt: when.answeredAt, heardAt: process.clocks.monotonic() }])
      }
      life.say?.(`${id} asks about ${named(question)}: ${saidBy(answer)}`)
      living.hear({ kind: 'asked', answer })
    })

    function answerOf(when: Pick<Answer, 'question' | 'askedAt' | 'answeredAt'>): Answer {
      switch (said) {
        case 'absent': {
          if (life.plan.manners.absence === 'as it refuses')
            return { ...when, kind: 'refused', errorCode: '11', mayBeAbsence: true }
          const before = (heard.get(about) ?? []).map(({ answeredAt, heardAt }) => ({
            answeredAt,
            ago: begun - heardAt,
          }))
          return { ...when, kind: 'never-seen', baseUrl: gatewayUrl, before }
        }
        case 'refused':
          return { ...when, kind: 'refused', errorCode: '99' }
        case 'silent':
          return { ...when, kind: 'no-answer' }
        default:
          return { ...when, kind: 'reply', reply: said }
      }
    }
  })
}

const named = ({ clientOrderId, bySerialNumber }: Question): string =>
  bySerialNumber === undefined ? clientOrderId : `${clientOrderId} by ${bySerialNumber}`

const saidBy = (answer: Answer): string =>
  answer.kind === 'reply' ? `${answer.reply.transactionType} is ${answer.reply.status}` : answer.kind
