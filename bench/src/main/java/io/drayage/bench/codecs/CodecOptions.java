package io.drayage.bench.codecs;

import io.drayage.bench.ByteSize;
import io.drayage.cli.options.CargoOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that all commands of this package have, as picocli fills them in. */
final class CodecOptions {
  @Mixin CargoOptions from = new CargoOptions();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description =
          "Size of a cargo of thesis or tpch: 100MB, 1GB, 64MiB (default: ${DEFAULT-VALUE}).")
  ByteSize size = ByteSize.parse("100MB");

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      split = ",",
      description =
          "What to measure: SERIALIZER+COMPRESSOR[:LEVEL], such as kryo+lz4; SERIALIZER for it with"
              + " every compressor, +COMPRESSOR[:LEVEL] for it with every serializer. May be"
              + " repeated. Default: the study's combinations, and below a line all others.")
  List<String> codecs = new ArrayList<>();

  @Option(
      names = "--form",
      paramLabel = "FORM",
      converter = FormConverter.class,
      description =
          "stream: the whole cargo through the streams of both, as the study did. segments: one"
              + " segment after the other on one thread. Default: stream.")
  @Nullable Form form;

  @Option(
      names = "--without-flush",
      description =
          "Measure kryo and kryo-unsafe a second time, with their flushes kept from the"
              + " compressor.")
  boolean withoutFlush;

  /**
   * The folder that keeps this run's result: the one named, or a new temporary one.
   *
   * @throws IOException if it cannot be made
   */
  Path resultFolder() throws IOException {
    return from.out == null
        ? Files.createTempDirectory("drayage-")
        : Files.createDirectories(from.out);
  }

  /** Whether the study has figures for a cargo like this, if it has them for the size. */
  boolean isStudyCargo() {
    return from.cargo.equals("thesis");
  }
}
