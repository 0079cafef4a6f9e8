import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { idInput } from '../../tools/declare/inputs.ts'
import { updateOutcome, createOutcome, removeOutcome, readOutcome } from '../../tools/call/outcome.ts'
import { pageList } from '../../tools/declare/page_list.ts'
import { applyPatch } from '../../platform/validation/patch.ts'
import { searchText } from '../../platform/validation/text/text.ts'
import { TAG } from './fields.ts'
import { addTag, changeTag, countTags, findTag, listTags, lockTag, removeTag } from './tag.ts'

export const tags = entity({
  name: 'tags',
  singular: 'tag',
  subject: 'customers',
  record: TAG,
  tools: [
    pageList({
      title: 'List tags',
      description: 'All tags of the account, by name.',
      input: { query: searchText(50).describe('Name prefix') },
      rows: ({ db }, query) => listTags(db, query),
      count: ({ db }, query) => countTags(db, query),
    }),
    tool({
      verb: 'get',
      title: 'Get a tag',
      description: 'A tag and how many customers have it.',
      input: idInput,
      run: async ({ db }, { id }) => readOutcome(await findTag(db, id)),
    }),
    tool({
      verb: 'create',
      title: 'Create a tag',
      description: 'Creates a label for customers. Names are unique, ignoring case.',
      person: true,
      input: TAG.inputs,
      run: async ({ db, caller }, draft) => createOutcome(await addTag(db, caller, TAG.complete(draft))),
    }),
    edit({
      verb: 'update',
      title: 'Rename or recolor a tag',
      description: 'Changes the given fields; color null clears it.',
      input: TAG.patchInputs,
      lock: ({ db }, { id }) => lockTag(db, id),
      run: async ({ db, caller }, patch, before) =>
        updateOutcome(before, await changeTag(db, caller, before.id, applyPatch(before, patch))),
    }),
    tool({
      verb: 'delete',
      title: 'Delete a tag',
      description: 'Deletes the tag and removes it from all customers. This cannot be undone.',
      input: idInput,
      run: async ({ db }, { id }) => {
        const before = await lockTag(db, id)
        return removeOutcome({ id, deleted: true, assignments_removed: await removeTag(db, id) }, before)
      },
    }),
  ],
})
