import type { EndReason } from '../../assistant/models/failures.ts'
import { say } from '../../platform/i18n/say.ts'

/** Returns why an answer ended early, and what to do. */
export function endReasonText(reason: EndReason): string {
  switch (reason) {
    case 'stopped':
      return say`You stopped the answer. What was done before stays.`
    case 'access':
      return say`Your access to this company changed, so the assistant stopped.`
    case 'steps':
      return say`This took more steps than one answer may have. Say “go on”, or ask for less at once.`
    case 'conversation_limit':
      return say`This conversation has reached its limit. Start a new one.`
    case 'day_limit':
      return say`Your company has used up the assistant’s limit for today. Try again tomorrow.`
    case 'key':
      return say`The model’s provider doesn’t accept the API key. An owner can change it in the settings.`
    case 'model':
      return say`The provider has no such model. An owner can change it in the settings.`
    case 'busy':
      return say`The model’s provider is busy. Try again in a minute.`
    case 'timeout':
      return say`The model’s provider took too long to answer. Try again.`
    case 'outage':
      return say`The model’s provider can’t be reached. Everything else works as usual; try again later.`
    case 'request':
      return say`The model’s provider refused the request. Start a new conversation, or try another model.`
    case 'declined':
      return say`The model declined to answer this.`
    case 'cut':
      return say`The answer was too long and was cut. Say “go on”.`
    case 'internal':
      return say`Something went wrong. What was done before stays; try again.`
  }
}
