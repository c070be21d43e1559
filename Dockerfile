# The service in a container: docker build -t wkgfc . && docker run -p 127.0.0.1:8765:8765 -v wkgfc:/data wkgfc

FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
# Whoever the service runs as owns the volume alone.
RUN useradd --create-home --uid 10001 wkgfc && install -d -o wkgfc -g wkgfc /data
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[serve,mcp,llm]" && rm -r /wheels
USER wkgfc
# In a container every address is the container's own: who may reach the port is for whoever publishes it.
ENV PYTHONUNBUFFERED=1 \
    WKGFC_DATA_DIR=/data \
    WKGFC_CACHE_DIR=/data/cache \
    WKGFC_CONFIG=/data/config.toml \
    WKGFC_SERVE_HOST=0.0.0.0
VOLUME /data
EXPOSE 8765
# The first start builds the embedded stores, which takes minutes on a slow machine.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10m --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/healthz', timeout=4)"]
ENTRYPOINT ["wkgfc"]
CMD ["serve"]
