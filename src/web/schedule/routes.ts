import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { showBoard, showBoardFragment } from './board/board.ts'
import { checkMove } from './check_move.ts'
import { streamChanges } from './events.ts'
import { moveVisit, showMove } from './move.ts'
import { approvePlan } from './plan/approve.ts'
import { chooseOff } from './plan/choose_off.ts'
import { fitInJob, showFitIn } from './plan/fit_in.ts'
import { showPlan } from './plan/plan_page.ts'
import { showTile, showTileArea } from './map/streets.ts'
import { printDay } from './print_day.ts'

const BASE_PATH = '/:tenant{[0-9a-f-]{36}}/schedule'
const JOB = '/:job{[0-9a-f-]{36}}'

/**
 * Returns the pages of the schedule: the board and its fragment, the actions that change it, the form that moves a
 * visit, and the map tiles.
 */
export const scheduleRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [BASE_PATH]: { get: showBoard },
    [`${BASE_PATH}/board`]: { get: showBoardFragment },
    [`${BASE_PATH}/print`]: { get: printDay },
    [`${BASE_PATH}/check${JOB}`]: { get: checkMove },
    [`${BASE_PATH}/plan`]: { get: showPlan, post: approvePlan },
    [`${BASE_PATH}/off`]: { get: chooseOff },
    [`${BASE_PATH}/fit${JOB}`]: { get: showFitIn, post: fitInJob },
    [`${BASE_PATH}/tiles`]: { get: showTileArea },
    [`${BASE_PATH}/tiles/:z{[0-9]{1,2}}/:x{[0-9]{1,7}}/:y{[0-9]{1,7}}`]: { get: showTile },
    [`${BASE_PATH}/events`]: { get: streamChanges },
    [`${BASE_PATH}/move${JOB}`]: { get: showMove, post: moveVisit },
  })
