import { applyPatch } from '../../platform/validation/patch.ts'
import { text } from '../../platform/validation/text/text.ts'
import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { idInput } from '../../tools/declare/inputs.ts'
import { createOutcome, readOutcome, removeOutcome, updateOutcome } from '../../tools/call/outcome.ts'
import { pageList } from '../../tools/declare/page_list.ts'
import { VEHICLE } from './fields.ts'
import {
  addVehicle,
  archiveVehicle,
  changeVehicle,
  countVehicles,
  findVehicle,
  listVehicles,
  lockVehicle,
} from './vehicle.ts'

export const vehicles = entity({
  name: 'vehicles',
  singular: 'vehicle',
  subject: 'jobs',
  record: VEHICLE,
  tools: [
    pageList({
      title: 'List vehicles',
      description: 'Vans and trucks, by name.',
      input: { query: text(50).describe('Name prefix') },
      rows: ({ db }, query) => listVehicles(db, query),
      count: ({ db }, query) => countVehicles(db, query),
    }),
    tool({
      verb: 'get',
      title: 'Get a vehicle',
      description: 'A vehicle with its notes.',
      input: idInput,
      run: async ({ db }, { id }) => readOutcome(await findVehicle(db, id)),
    }),
    tool({
      verb: 'create',
      title: 'Add a vehicle',
      description: 'Adds a van or truck. No two have one plate.',
      input: VEHICLE.inputs,
      run: async ({ db, caller }, draft) => createOutcome(await addVehicle(db, caller, VEHICLE.complete(draft))),
    }),
    edit({
      verb: 'update',
      title: 'Update a vehicle',
      description: 'Changes the given fields; null or empty text clears one.',
      input: VEHICLE.patchInputs,
      lock: ({ db }, { id }) => lockVehicle(db, id),
      run: async ({ db, caller }, patch, before) =>
        updateOutcome(before, await changeVehicle(db, caller, before.id, applyPatch(before, patch))),
    }),
    tool({
      verb: 'archive',
      title: 'Archive a vehicle',
      description: 'Hides the vehicle, and frees its plate.',
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        await lockVehicle(db, id)
        return removeOutcome(await archiveVehicle(db, caller, id), { archived_at: null })
      },
    }),
  ],
})
