package io.drayage.cli.data;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.SizeOption;
import io.drayage.codec.CargoFile;
import io.drayage.codec.WholeFile;
import io.drayage.internal.Counted;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage cargo write}. */
@Command(
    name = "write",
    mixinStandardHelpOptions = true,
    description = "Writes a cargo to a file, which can be shown, and shipped repeatedly.",
    footer = {
      "",
      "Examples:",
      "  drayage cargo write --cargo thesis --size 100MB plan.cargo",
      "  drayage throughput --cargo plan.cargo"
    })
final class CargoWriteCommand implements Callable<Integer> {
  @Mixin private CargoOptions from = new CargoOptions();

  @Mixin private SizeOption size = new SizeOption();

  @Parameters(paramLabel = "FILE", description = "The file to write; replaced if it exists.")
  private Path file = Path.of("");

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    OptionChecks checks = new OptionChecks(spec);
    WholeFile.requireReplaceable(file);
    CargoSource source =
        checks.valid(() -> CargoSources.parse(from.cargo, size.bytes(), from.seed));
    ChangeCargo made = checks.valid(source::load);
    long bytes = CargoFile.write(made, file);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%s: %s, content digest %s%n",
        file, Counted.of(bytes, "byte"), CargoDigest.toHex(CargoDigest.of(made)));
    return 0;
  }
}
