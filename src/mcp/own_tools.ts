import type { Caller } from '../access/credentials/caller.ts'
import { mayCall } from '../tools/call.ts'
import type { Catalogue } from '../tools/catalogue.ts'

/** Lists the tools of a catalogue that a caller may call, as JSON that is written once (docs/spec/tools.md#own-tools). */
export function ownTools({ tools, descriptions }: Catalogue): (caller: Caller) => string {
  const told = descriptions.map((description) => ({
    listed: tools.get(description.name)!,
    json: JSON.stringify(description),
  }))
  return (caller) => {
    const own = told.filter(({ listed }) => mayCall(caller, listed))
    return `[${own.map(({ json }) => json).join(',')}]`
  }
}
