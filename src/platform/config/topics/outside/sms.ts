import { address, text } from '../../parsers.ts'
import { ConfigError, setting, topic } from '../../setting.ts'

/** Credentials for the SMS provider. */
export type SmsAccount = { id: string; token: string; apiUrl: string }

const missingMessage = (name: string): string => `${name} is missing: set SMS_ACCOUNT_SID and SMS_AUTH_TOKEN together`

export const sms = topic(
  'Text messages',
  {
    id: setting('SMS_ACCOUNT_SID', {
      parse: text,
      default: null,
      requires: { SMS_AUTH_TOKEN: missingMessage('SMS_AUTH_TOKEN') },
      about: 'Account SID at the SMS provider.',
      more:
        'It sends texts and downloads the pictures of inbound ones. ' +
        "Without it, texts wait in the outbox and pictures aren't downloaded.",
    }),
    token: setting('SMS_AUTH_TOKEN', {
      parse: text,
      default: null,
      isSecret: true,
      requires: { SMS_ACCOUNT_SID: missingMessage('SMS_ACCOUNT_SID') },
      about: 'Auth token of that account.',
    }),
    smsFrom: setting('SMS_FROM', {
      parse: phoneNumber,
      default: null,
      requires: { SMS_ACCOUNT_SID: 'SMS_FROM needs SMS_ACCOUNT_SID and SMS_AUTH_TOKEN' },
      about: 'E.164 number that sends texts for companies without a number of their own.',
      more:
        'US carriers block texts from unregistered numbers: ' +
        'register your brand and campaign with the provider (10DLC) first, or verify a toll-free number.',
    }),
    apiUrl: setting('SMS_API_URL', {
      parse: address,
      default: 'https://api.twilio.com',
      about: "Origin of the provider's API; the token is sent nowhere else.",
    }),
  },
  ({ id, token, smsFrom, apiUrl }): { smsAccount: SmsAccount | null; smsFrom: string | null } => ({
    smsAccount: id === null || token === null ? null : { id, token, apiUrl },
    smsFrom,
  }),
)

function phoneNumber(value: string, name: string): string {
  if (!/^\+[1-9]\d{6,14}$/.test(value))
    throw new ConfigError(`${name} must be a phone number with its country code, such as +16175550100 (got '${value}')`)
  return value
}
