import { customerBrowser } from '@tillkit/express-middleware/core'
import { till } from '../../../../till.js'

export async function POST(request, { params }) {
  const { number, name, month, year, cvv2, ...body } = Object.fromEntries(await request.formData())
  const remoteAddress = request.headers.get('x-real-ip') ?? undefined
  const { address } = await till.pay({
    reference: (await params).id,
    amount: '18.00',
    currency: 'EUR',
    orderDesc: 'Two tickets',
    email: 'joan@customer.example',
    phone: '+493012345678',
    address1: 'Hauptstr. 1',
    city: 'Berlin',
    zipCode: '10115',
    country: 'DE',
    ...customerBrowser(request, { remoteAddress, body }),
    creditCardNumber: number,
    cardPrintedName: name,
    expireMonth: month,
    expireYear: year,
    cvv2,
  })
  return new Response(null, { status: 303, headers: { location: address } })
}
