export { type CertifyOptions, certify, type MerchantStarter } from './certify/certify.js'
export { describeCertification } from './certify/describe-certification.js'
export type {
  MerchantUnderTest,
  PaidAnswer,
  PaymentToStart,
  ReceivedCallback,
  StartedPayment,
} from './certify/merchant-under-test.js'
export {
  type CertifiedCase,
  type CertifyFinding,
  type CertifyReport,
  type FindingKind,
  findingKinds,
} from './certify/report.js'
export { createGateway, type GatewayOptions } from './gateway/create-gateway.js'
