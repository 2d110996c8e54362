package io.drayage.bench.plan;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.LinkRate;
import io.drayage.bench.OptionChecks;
import io.drayage.bench.TextTable;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.link.Link;
import io.drayage.bench.result.JsonFile;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.rig.TrialPair;
import io.drayage.bench.statistics.Medians;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage plan}: predicts what systems would do on other machines. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Predicts S+Q and what binds, for machines and links that are not here: measures what each"
          + " part of a system costs a core of this machine, and works out which part is the slowest"
          + " there.",
      "",
      "The model knows neither slower memory with more cores nor another processor; --check shows how"
          + " far it is off where it can be measured.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage plan --cores 16 --link 20gbit --size 10GB --json plan.json",
      "  drayage plan --cores 4 --link 20gbit --size 100GB --rates plan.json",
      "  drayage plan --check"
    })
public final class PlanCommand implements Callable<Integer> {
  private static final List<Integer> CHECKED_THREADS = List.of(1, 2);
  private static final List<String> CHECKED_LINKS = List.of("1gbit", "10gbit", "20gbit");

  @Spec private CommandSpec spec;
  @Mixin private PlanOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    options.validate(checks);
    if (options.check) {
      // What is missing for links is said before a minute of measuring.
      Link.open(LinkRate.parse(CHECKED_LINKS.get(0)), 1, false, null).close();
    }
    ResultFolder folder = ResultFolder.openForResult(options.results.out);
    Calibration calibration = new Calibration(folder.logs(), this::progress);
    List<Rates> rates = rates(calibration, checks);
    List<PlanResult.CheckRow> checked = options.check ? check(calibration, rates) : null;
    PlanResult result =
        new PlanResult(
            PlanResult.SCHEMA,
            Environment.capture(),
            new PlanResult.Config(
                options.hosts(),
                options.link.text(),
                options.size.text(),
                options.size.bytes(),
                "%s, %,d bytes".formatted(Calibration.CARGO, Calibration.SIZE_BYTES),
                options.rates == null ? null : options.rates.toString()),
            rates,
            rates.stream()
                .map(this::row)
                .sorted(Comparator.comparing(PlanResult.Row::sqS))
                .toList(),
            checked);
    print(result);
    folder.keep(result);
    if (options.results.json != null) {
      result.writeTo(options.results.json);
    }
    return result.allOk() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private void progress(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(text);
    err.flush();
  }

  private List<Rates> rates(Calibration calibration, OptionChecks checks)
      throws IOException, InterruptedException {
    Path file = options.rates;
    if (file == null) {
      return calibration.rates(systems(), options.link);
    }
    List<Rates> known = read(file, checks);
    List<String> wanted = options.systems.stream().map(SystemUnderTest::toString).toList();
    List<Rates> chosen =
        known.stream()
            .filter(rates -> wanted.isEmpty() || wanted.contains(rates.system()))
            .toList();
    checks.require(
        wanted.isEmpty() || chosen.size() == wanted.size(),
        "--rates %s knows only %s"
            .formatted(file, String.join(", ", known.stream().map(Rates::system).toList())));
    for (Rates rates : chosen) {
      requireSameLink(file, rates, checks);
    }
    return chosen;
  }

  private void requireSameLink(Path file, Rates rates, OptionChecks checks) {
    if (!Rates.followTheLink(Systems.notation().parse(rates.system()))) {
      return;
    }
    String link = rates.link();
    checks.require(
        link != null && LinkRate.parse(link).bytesPerSecond() == options.link.bytesPerSecond(),
        "--rates %s: %s was measured for %s and encodes by the link: plan for that (--link), or measure anew without --rates"
            .formatted(file, rates.system(), link == null ? "an unknown link" : link));
  }

  private static List<Rates> read(Path file, OptionChecks checks) throws IOException {
    try {
      JsonNode rates = JsonFile.read(file, JsonNode.class).path("rates");
      List<Rates> known = new ArrayList<>();
      for (JsonNode node : rates) {
        known.add(JsonFile.convert(node, Rates.class));
      }
      checks.require(!known.isEmpty(), "--rates %s holds no rates".formatted(file));
      return known;
    } catch (JacksonException e) {
      throw checks.usageError("--rates %s is no result of drayage plan".formatted(file));
    }
  }

  private List<SystemUnderTest> systems() {
    return options.systems.isEmpty()
        ? PlanOptions.DEFAULT_SYSTEMS.stream().map(Systems.notation()::parse).toList()
        : options.systems;
  }

  private PlanResult.Row row(Rates rates) {
    Prediction predicted =
        Model.predict(
            rates, options.hosts(), options.linkBytesPerSecond(), (double) options.size.bytes());
    return new PlanResult.Row(
        rates.system(),
        predicted.seconds(),
        options.size.bytes() / predicted.seconds() / 1e6,
        predicted.binds(),
        predicted.boundsS());
  }

  /** On this machine, where both ends share the cores. */
  private List<PlanResult.CheckRow> check(Calibration calibration, List<Rates> rates)
      throws IOException, InterruptedException {
    List<PlanResult.CheckRow> rows = new ArrayList<>();
    for (String text : CHECKED_LINKS) {
      LinkRate rate = LinkRate.parse(text);
      try (Link link = Link.open(rate, 1, false, null)) {
        for (Rates of : rates) {
          SystemUnderTest system = Systems.notation().parse(of.system());
          Rates there = of.link() == null ? of : calibration.rates(system, rate);
          try (TrialPair pair = new TrialPair(calibration.plan(link))) {
            for (int threads : system.isParallel() ? CHECKED_THREADS : List.of(1)) {
              progress("checking %s, %d threads, %s".formatted(system, threads, text));
              List<Run> runs = calibration.measure(pair, system, threads);
              rows.add(checkRow(there, threads, rate, runs));
            }
          }
        }
      }
    }
    return List.copyOf(rows);
  }

  private static PlanResult.CheckRow checkRow(
      Rates rates, int threads, LinkRate rate, List<Run> runs) {
    double rawBytes =
        runs.stream()
            .map(Run::rawBytes)
            .filter(Objects::nonNull)
            .mapToLong(Long::longValue)
            .findFirst()
            .orElse(Calibration.SIZE_BYTES);
    int cores = Runtime.getRuntime().availableProcessors();
    Prediction predicted =
        Model.predict(
            rates,
            new Hosts(cores, threads, threads, true),
            (double) rate.bytesPerSecond(),
            rawBytes);
    Double measured = Medians.of(runs, Run::sqS);
    return new PlanResult.CheckRow(
        rates.system(),
        threads,
        rate.text(),
        predicted.seconds(),
        measured,
        measured == null ? null : (Double) (predicted.seconds() / measured - 1),
        predicted.binds());
  }

  private void print(PlanResult result) {
    PrintWriter out = spec.commandLine().getOut();
    if (result.check() != null) {
      printCheck(result.check(), out);
      out.println();
    }
    TextTable table = new TextTable(List.of("system", "S+Q s", "MB/s", "binds", "next"));
    for (PlanResult.Row row : result.summary()) {
      table.add(
          List.of(
              row.system(),
              number("%.3f", row.sqS()),
              number("%.0f", row.rawMBps()),
              row.binds(),
              next(row)));
    }
    table.lines().forEach(out::println);
    Hosts hosts = options.hosts();
    PlanResult.Row best = result.summary().get(0);
    out.println(
        "predicted: %s over %s, %s with %d cores, %d codec threads on either side; next: the second slowest part"
            .formatted(
                options.size.text(),
                options.link.text(),
                hosts.shared() ? "one machine" : "two machines",
                hosts.cores(),
                hosts.workerThreads()));
    out.println(
        "%s would be the fastest: S+Q %s s, %s binds"
            .formatted(best.system(), number("%.2f", best.sqS()), best.binds()));
    out.flush();
  }

  private static String next(PlanResult.Row row) {
    return row.boundsS().entrySet().stream()
        .filter(bound -> !bound.getKey().equals(row.binds()))
        .max(Map.Entry.comparingByValue())
        .map(bound -> "%s %s s".formatted(bound.getKey(), number("%.3f", bound.getValue())))
        .orElse("-");
  }

  private static void printCheck(List<PlanResult.CheckRow> rows, PrintWriter out) {
    TextTable table =
        new TextTable(
            List.of(
                "checked here", "threads", "link", "predicted s", "measured s", "error", "binds"));
    List<Double> errors = new ArrayList<>();
    for (PlanResult.CheckRow row : rows) {
      Double error = row.error();
      if (error != null) {
        errors.add(Math.abs(error));
      }
      table.add(
          List.of(
              row.system(),
              Integer.toString(row.threads()),
              row.link(),
              number("%.3f", row.predictedS()),
              number("%.3f", row.measuredS()),
              error == null ? "-" : number("%+.0f %%", 100 * error),
              row.binds()));
    }
    table.lines().forEach(out::println);
    Double median = Medians.of(errors);
    if (median != null) {
      out.println(
          "error: median %s, largest %s"
              .formatted(
                  number("%.0f %%", 100 * median),
                  number("%.0f %%", 100 * errors.stream().max(Double::compare).orElse(0.0))));
    }
  }

  private static String number(String format, @Nullable Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, format, value);
  }
}
