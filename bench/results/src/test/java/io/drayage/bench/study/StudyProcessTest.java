package io.drayage.bench.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.bench.child.StudyFigure;
import io.drayage.bench.child.StudySettings;
import io.drayage.bench.environment.Checkout;
import io.drayage.bench.link.Link;
import io.drayage.bench.study.StudyProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class StudyProcessTest {
  @TempDir private Path folder;

  @Test
  void saysInALineThatAStudyIsNotBuilt() {
    assertThatThrownBy(
            () ->
                new StudyProcess(folder.resolve("none"))
                    .run(settings(null), Link.loopback(1), line -> {}))
        .isInstanceOf(StudyException.class)
        .hasMessageStartingWith("the study none is not built: './drayage study none'");
  }

  @Test
  void saysInALineThatMemoryIsShort() throws Exception {
    Path module = Files.createDirectory(folder.resolve("large"));
    Files.createFile(Files.createDirectory(module.resolve("target")).resolve("large.jar"));
    Files.writeString(module.resolve("jvm.options"), "-Xmx900000g\n");

    assertThatThrownBy(
            () -> new StudyProcess(module).run(settings(null), Link.loopback(1), line -> {}))
        .isInstanceOf(StudyException.class)
        .hasMessageStartingWith("the study large needs 921,600,512 MiB of memory (-Xmx900000g");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesAFigureThatCannotBe(double value) {
    StudyFigure figure = new StudyFigure("read/small", "kryo", "ns", value);
    Outcome outcome = new Outcome(List.of(figure), List.of());
    assertThatThrownBy(() -> StudyProcess.requireFigures("sikdar", outcome))
        .isInstanceOf(StudyException.class)
        .hasMessage(
            "the study sikdar measured %s ns of kryo in read/small: a figure must be above 0"
                .formatted(value));
  }

  @Test
  void refusesAStudyThatMeasuredNothing() throws Exception {
    StudyProcess.requireFigures("sikdar", new Outcome(List.of(), List.of("left out: sort")));
    assertThatThrownBy(
            () -> StudyProcess.requireFigures("sikdar", new Outcome(List.of(), List.of())))
        .isInstanceOf(StudyException.class)
        .hasMessage("the study sikdar measured nothing");
  }

  @Tag("ci")
  @Test
  void namesTheExperimentsThereAre() {
    StudyProcess study = built("sikdar");
    assertThatThrownBy(() -> study.run(settings("none"), Link.loopback(1), line -> {}))
        .isInstanceOfSatisfying(StudyException.class, e -> assertThat(e.isWrongUsage()).isTrue())
        .hasMessage("--experiment none: one of [sizes, read, network, sort, aggregate]");
  }

  @Tag("ci")
  @ParameterizedTest
  @ValueSource(strings = {"sikdar", "hazelcast"})
  void everyClaimAndEveryPublishedNameIsOfASystemThatWasMeasured(String name) throws Exception {
    Outcome outcome = built(name).run(settings("sizes"), Link.loopback(1), line -> {});
    PublishedStudy study = PublishedStudy.ofName(name);
    assertThat(outcome.figures())
        .extracting(StudyFigure::system)
        .containsAll(study.systems().keySet())
        .containsAll(study.ours());
    assertThat(StudyComparison.of(study, outcome.figures()).agreements())
        .isNotEmpty()
        .allMatch(agreement -> agreement.correlation() != null);
  }

  private static StudySettings settings(@Nullable String experiment) {
    return new StudySettings(experiment, 3, false, 1, StudySettings.Servers.LOOPBACK);
  }

  private static StudyProcess built(String name) {
    StudyProcess study = StudyProcess.ofName(name);
    Path jar = Checkout.jar(study.module());
    assumeTrue(Files.isRegularFile(jar), () -> jar + " is not built: run mvn package");
    return study;
  }
}
