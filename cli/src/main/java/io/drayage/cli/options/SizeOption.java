package io.drayage.cli.options;

import io.drayage.bench.ByteSize;
import picocli.CommandLine.Option;

/** The size of a generated cargo, as picocli fills it in. */
public final class SizeOption {
  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description =
          "Size of a cargo of thesis or tpch: 100MB, 1GB, 64MiB (default: ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse("100MB");

  /** Returns the size that was written. */
  public ByteSize value() {
    return size;
  }

  /** Returns the size in bytes. */
  public long bytes() {
    return size.bytes();
  }
}
