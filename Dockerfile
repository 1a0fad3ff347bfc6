FROM node:24-slim AS web
WORKDIR /build/clients/web
COPY clients/web/package.json clients/web/package-lock.json clients/web/.npmrc ./
RUN npm ci
COPY clients/web ./
RUN npm run build

FROM python:3.12-slim AS build
WORKDIR /build
COPY requirements.lock ./
RUN pip wheel --no-cache-dir --no-deps --require-hashes --wheel-dir /wheels --requirement requirements.lock
COPY pyproject.toml README.md ./
COPY engine engine
COPY protocol protocol
COPY server server
COPY clients clients
COPY --from=web /build/server/web/pages server/web/pages
RUN python -m venv /opt/bigtop \
    && /opt/bigtop/bin/pip install --no-cache-dir --no-index --find-links /wheels . \
    && /opt/bigtop/bin/pip uninstall --yes pip

FROM python:3.12-slim
RUN useradd --uid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin bigtop
COPY --from=build /opt/bigtop /opt/bigtop
ENV PATH=/opt/bigtop/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    XDG_DATA_HOME=/data \
    BIGTOP_HOST=0.0.0.0
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "from http.client import HTTPConnection; connection = HTTPConnection('127.0.0.1', 8765, timeout=4); connection.request('GET', '/health'); raise SystemExit(connection.getresponse().status != 200)"]
ENTRYPOINT ["bigtop"]
CMD ["serve"]
