package io.drayage.cli.explain;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.codecs.CodecConfig;
import io.drayage.bench.codecs.CodecSelection;
import io.drayage.bench.codecs.work.Form;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code sizes}, {@code serialization} and {@code deserialization}. */
final class CodecOptions {
  @Mixin CargoOptions from = new CargoOptions();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description =
          "Size of a cargo of thesis or tpch: 100MB, 1GB, 64MiB (default: ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse("100MB");

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      split = ",",
      description =
          "What to measure: SERIALIZER+COMPRESSOR[:LEVEL], such as kryo+lz4; SERIALIZER for it with"
              + " every compressor, +COMPRESSOR[:LEVEL] for it with every serializer. May be"
              + " repeated. Default: the study's combinations, and below a line all others.")
  private List<String> codecs = new ArrayList<>();

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
  private boolean withoutFlush;

  /** Forms as users write them. */
  static final class FormConverter implements ITypeConverter<Form> {
    @Override
    public Form convert(String text) {
      for (Form form : List.of(Form.STREAM, Form.SEGMENTS)) {
        if (form.toString().equals(text)) {
          return form;
        }
      }
      throw new TypeConversionException(
          "'%s' is no form: choose %s or %s".formatted(text, Form.STREAM, Form.SEGMENTS));
    }
  }

  CodecSelection selection(OptionChecks checks) {
    try {
      return CodecSelection.of(codecs, form, withoutFlush);
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  CodecConfig.Cargo cargo() {
    return new CodecConfig.Cargo(from.cargo, size.text(), size.bytes(), from.seed);
  }

  CargoSource source(OptionChecks checks) {
    try {
      return cargo().source();
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  /**
   * The folder of this run's result: the one named, or a new temporary one.
   *
   * @throws IOException if it cannot be made
   */
  Path resultFolder() throws IOException {
    return from.out == null
        ? Files.createTempDirectory("drayage-")
        : Files.createDirectories(from.out);
  }
}
