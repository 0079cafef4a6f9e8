import assert from 'node:assert/strict'
import { it } from 'node:test'
import { entities } from '../index.ts'
import { screens } from '../screens.ts'

it('every entity has its pages', () => {
  assert.deepEqual(screens.map(({ entity }) => entity.name).sort(), entities.map(({ name }) => name).sort())
})

it('no page action has the name of a tool of its entity', () => {
  for (const { tools, pageActions } of entities)
    assert.deepEqual(
      pageActions.filter(({ verb }) => tools.some((tool) => tool.verb === verb)),
      [],
    )
})

it('every list exports the id first', () => {
  for (const { listing, title } of screens) assert.equal(listing.exported[0], 'id', title)
})
