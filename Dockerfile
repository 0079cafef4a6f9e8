# The first stage has npm; the second has only what npm installed, including Node. The tag names the image that the
# digest pins, and Dependabot proposes updates.
ARG NODE_IMAGE=node:24-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe
ARG BASE_IMAGE=debian:trixie-slim@sha256:a29215f6a35e51e22adffa17f89e9d2ef06214e64a2bad10d765c46aea49f11f

FROM ${NODE_IMAGE} AS packages
# Needed by the packaged Node, which runs install scripts.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libatomic1 \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY bin bin
RUN npm ci --omit=dev --no-audit --no-fund
# Streets on the day's map: --build-arg MAP_LIBRARY=maplibre-gl@5.24.1
ARG MAP_LIBRARY=
RUN if [ -n "$MAP_LIBRARY" ]; then \
  npm install --no-save --save-prod --omit=dev --no-audit --no-fund "$MAP_LIBRARY" && node bin/after_install.js; fi

FROM ${BASE_IMAGE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends libatomic1 libstdc++6 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --no-log-init --uid 10001 --no-create-home --home-dir /app --shell /usr/sbin/nologin callout \
  && install -d -o callout -g callout -m 0700 /data /uploads /backups
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY public public
COPY src src
RUN install -d -o callout -g callout node_modules/.cache
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data TMPDIR=/uploads PATH=/app/bin:/app/node_modules/.bin:$PATH
USER callout
# Compiles the program as the user who runs it. From here on, only the volumes are written to.
RUN node bin/after_install.js
VOLUME /data /uploads
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /health/ready HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["node", "bin/callout"]
CMD ["serve"]
