/**
 * Certifies a shop that runs by itself, for the command.
 *
 * @module
 */
import { certify } from '../certify/certify.js'
import { describeCertification } from '../certify/describe-certification.js'
import type { FakeGateway } from '../fake/fake-gateway.js'
import type { CertifyArguments } from './read-arguments.js'
import { UsageError } from './usage-error.js'

/** What came of it. */
export interface ShopCertification {
  readonly passed: boolean
  /** For whoever started the command: a report, or one line of JSON. */
  readonly text: string
}

/**
 * Certifies a shop.
 *
 * @throws {@link UsageError} for an address or a case that cannot be.
 */
export async function certifyShop(
  { startPayment, isPaid, receiveCallback, only }: CertifyArguments,
  { gateway, json }: { readonly gateway: FakeGateway; readonly json: boolean },
): Promise<ShopCertification> {
  const doors = { startPayment, isPaid, ...(receiveCallback === undefined ? {} : { receiveCallback }) }
  try {
    const report = await certify(doors, { gateway, ...(only === undefined ? {} : { only: [only] }) })
    const again = ({ case: name }: { readonly case: string }) => `the same, with --only ${JSON.stringify(name)}`
    const text = json ? JSON.stringify(report) : describeCertification(report, { again })
    return { passed: report.passed, text: `${text}\n` }
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}
