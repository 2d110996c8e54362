package io.drayage.admin;

/** An artifact that only programs that watch a node need. */
enum OptionalArtifact {
  PROMETHEUS(
      "io.micrometer.prometheusmetrics.PrometheusMeterRegistry",
      "io.micrometer:micrometer-registry-prometheus"),
  TRANSPORT("io.drayage.transport.netty.http.PageServer", "io.drayage:drayage-transport-netty"),
  HTTP("io.netty.handler.codec.http.HttpServerCodec", "io.netty:netty-codec-http");

  private final String className;
  private final String artifact;

  OptionalArtifact(String className, String artifact) {
    this.className = className;
    this.artifact = artifact;
  }

  /**
   * Fails early, before the JVM loads a class that needs the artifact.
   *
   * @throws IllegalStateException if the class path lacks the artifact; names it
   */
  void require() {
    try {
      Object unused = Class.forName(className, false, OptionalArtifact.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalStateException(
          "the monitoring of a node needs %s (no %s): add it; io.drayage:drayage-bom has its version"
              .formatted(artifact, className),
          e);
    }
  }
}
