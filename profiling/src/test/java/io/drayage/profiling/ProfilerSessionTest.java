package io.drayage.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.metrics.DrayageMetrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;

/** A real session of this JVM. */
@Tag("ci")
@Timeout(180)
final class ProfilerSessionTest {
  @TempDir private Path folder;

  private final DrayageMetrics metrics = new DrayageMetrics();
  private final ThreadRoles roles = ThreadRoles.ofDrayage();

  @BeforeAll
  static void requireProfiler() {
    String problem = null;
    try {
      ProfilerOffer.library();
    } catch (ProfilerException e) {
      problem = e.getMessage();
      System.err.println("skipped: " + problem);
    }
    assumeTrue(problem == null, problem);
  }

  private static volatile byte[] unusedSink = new byte[0];

  /** Works and allocates on a thread with this name for {@code ns}: enough for some samples. */
  private static void work(String name, long ns) throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              long endNs = System.nanoTime() + ns;
              while (System.nanoTime() - endNs < 0) {
                byte[] made = new byte[100_000];
                java.util.Arrays.fill(made, (byte) 1);
                unusedSink = made;
              }
            },
            name);
    thread.start();
    thread.join();
  }

  @Test
  void keepsWhatCameAfterTheLastRecord() throws Exception {
    Path target = folder.resolve("worker.jfr");
    long recordedFromNs;
    try (ProfilerSession session =
        ProfilerSession.open(EnumSet.allOf(ProfilerEvent.class), target, metrics)) {
      work("drayage-serialize-8", 100_000_000);
      session.record(false);
      work("drayage-serialize-9", 300_000_000);
      recordedFromNs = System.currentTimeMillis() * 1_000_000;
      session.record(true);
      work("encode-0", 300_000_000);
      work("decode-0", 300_000_000);
      session.finish();
    }
    Profile profile = Profile.read(target, roles);
    assertThat(profile.samplesOf(ProfilerEvent.CPU)).hasSizeGreaterThan(50);
    assertThat(profile.samples())
        .as("of threads that worked after the last record")
        .anyMatch(sample -> sample.thread().equals("encode-0"))
        .anyMatch(sample -> sample.thread().equals("decode-0"))
        .noneMatch(sample -> sample.thread().startsWith("drayage-serialize"));
    assertThat(profile.samplesOf(ProfilerEvent.CPU))
        .noneMatch(sample -> sample.atNs() < recordedFromNs - 20_000_000);
    assertThat(profile.samplesOf(ProfilerEvent.ALLOC))
        .anyMatch(sample -> sample.stack().get(sample.stack().size() - 1).name().equals("byte[]"));
    assertThat(profile.samplesOf(ProfilerEvent.WALL)).anyMatch(Sample::waiting);
    assertThat(profile.count("io.drayage.Utilisation")).isGreaterThan(5);
    assertThat(folder).as("parts are gone").isDirectoryNotContaining("glob:**.samples");

    Shares shares = Shares.of(profile, FrameRules.ofDrayage(), roles);
    assertThat(shares.rows().stream().mapToDouble(Shares.Row::cpu).sum()).isBetween(0.999, 1.001);
    assertThat(shares.row(FrameRules.UNKNOWN).cpu()).isLessThanOrEqualTo(0.05);

    List<Sample> samples = profile.samplesOf(ProfilerEvent.CPU).toList();
    Path graph = folder.resolve("cpu.html");
    FlameGraphs.write(graph, "cpu", samples);
    // Names in a graph may lack the prefix that they share with the name before.
    assertThat(graph).content().contains("codec pool]");
    List<Sample> some =
        samples.stream().filter(sample -> sample.thread().equals("encode-0")).toList();
    Path difference = folder.resolve("difference.html");
    FlameGraphs.writeDifference(difference, "difference", some, samples);
    assertThat(difference).content().contains("codec pool]");
  }

  /** Uses the library with which Mission Control reads recordings. */
  @Test
  void opensInMissionControl() throws Exception {
    Path target = folder.resolve("opened.jfr");
    try (ProfilerSession session =
        ProfilerSession.open(EnumSet.of(ProfilerEvent.CPU, ProfilerEvent.WALL), target, metrics)) {
      session.record(true);
      work("encode-0", 600_000_000);
      session.finish();
    }

    Map<String, Long> items = new TreeMap<>();
    for (IItemIterable ofType : JfrLoaderToolkit.loadEvents(target.toFile())) {
      items.merge(ofType.getType().getIdentifier(), ofType.getItemCount(), Long::sum);
    }
    assertThat(items)
        .containsKeys("jdk.ExecutionSample", "profiler.WallClockSample", "io.drayage.Utilisation");
    assertThat(items.get("jdk.ExecutionSample")).isGreaterThan(50);
    assertThat(items.get("io.drayage.Utilisation")).isGreaterThan(5);
  }

  @Test
  void samplesSingleEventsToo() throws Exception {
    for (ProfilerEvent event : List.of(ProfilerEvent.WALL, ProfilerEvent.ALLOC)) {
      Path target = folder.resolve(event.word() + ".jfr");
      try (ProfilerSession session = ProfilerSession.open(EnumSet.of(event), target, metrics)) {
        session.record(true);
        work("encode-0", 200_000_000);
        session.finish();
      }
      Profile profile = Profile.read(target, roles);
      assertThat(profile.samples())
          .as(event.word())
          .isNotEmpty()
          .allMatch(sample -> sample.event() == event);
    }
  }

  @Test
  void leavesNothingBehindIfItIsNotFinished() throws Exception {
    Path target = folder.resolve("none.jfr");
    try (ProfilerSession session =
        ProfilerSession.open(EnumSet.of(ProfilerEvent.CPU), target, metrics)) {
      session.record(true);
    }
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void saysWhatIsOffered() throws Exception {
    ProfilerOffer offer = ProfilerOffer.of(EnumSet.allOf(ProfilerEvent.class), true);
    List<String> statements = offer.statements(EnumSet.allOf(ProfilerEvent.class));
    assertThat(statements).hasSize(ProfilerEvent.values().length);
    assertThat(statements.get(0)).startsWith("cpu: ");
    Set<ProfilerEvent> cpu = EnumSet.of(ProfilerEvent.CPU);
    assertThat(ProfilerOffer.of(cpu, false).statements(cpu))
        .containsExactly("cpu: ctimer instead of perf events, without the kernel's frames");
  }

  @Test
  void saysWhatIsNotOffered() {
    ProfilerOffer timer =
        new ProfilerOffer(
            "4.6", "ctimer", true, false, java.util.Map.of(ProfilerEvent.LOCK, "no JVMTI"));
    assertThat(timer.statements(EnumSet.of(ProfilerEvent.CPU, ProfilerEvent.LOCK)))
        .containsExactly(
            "cpu: ctimer instead of perf events, without the kernel's frames (for them: root, or sysctl kernel.perf_event_paranoid=1 kernel.kptr_restrict=0)",
            "lock: not offered here (no JVMTI)");
    assertThatThrownBy(() -> timer.requireAny(EnumSet.of(ProfilerEvent.LOCK)))
        .isInstanceOf(ProfilerException.class)
        .hasMessage(
            "lock: not offered here (no JVMTI): name other events (--event), or run without a profile");
    assertThatThrownBy(() -> ProfilerEvent.ofWord("cycles"))
        .hasMessageContaining("event 'cycles' is none of [cpu, wall, alloc, lock, nativemem]");
  }
}
