package io.drayage.cli.options;

import picocli.CommandLine.Option;

/** The cargo that a command encodes, ships or writes; as picocli fills it in. */
public final class CargoOptions {
  @Option(
      names = "--cargo",
      paramLabel = "CARGO",
      defaultValue = "thesis",
      description =
          "thesis, tpch[:sf=N], or a file that 'drayage cargo write' made (default:"
              + " ${DEFAULT-VALUE}). The study's figures are of thesis at 100MB, 1GB, 10GB and"
              + " 100GB.")
  public String cargo = "thesis";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the cargo's values (default: ${DEFAULT-VALUE}).")
  public long seed;
}
