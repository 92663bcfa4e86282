import { defaultProfile, type StatusResponse } from '@tillkit/protocol'
import { approved, beginOrder, beginStage, statusRecord } from '@tillkit/testing/rules'

/** The reply of status about the order once it was charged, by the fake gateway's own rules. @param now In ticks. */
export function replyAt(now: number): StatusResponse {
  const marks = { finalAt: 0, rrn: '510458047886', approvalCode: '000001' }
  const begin = {
    stage: 'sale',
    operation: 'sale',
    amount: 1_000n,
    verdict: approved,
    serialNumber: 's-1',
    now: 0,
  } as const
  const stage = beginStage(begin, marks)
  const given = { orderId: '77', login: 'merchant', endpointId: '39', currency: 'EUR' }
  const order = beginOrder({ clientOrderId: 'basket-7' }, given, stage)
  const record = statusRecord({ order, stage }, { profile: defaultProfile, now }, { serialNumber: 's-9' })
  const said = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
  return { ...said, raw: {} } as unknown as StatusResponse
}
