package io.drayage.cli.options;

import io.drayage.bench.ByteSize;
import picocli.CommandLine.Option;

/** How large a generated cargo is, as picocli fills it in. */
public final class SizeOption {
  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description =
          "Size of a cargo of thesis or tpch: 100MB, 1GB, 64MiB (default: ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse("100MB");

  /** As it was written. */
  public ByteSize value() {
    return size;
  }

  /** In bytes. */
  public long bytes() {
    return size.bytes();
  }
}
