package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.coordination.InMemoryCoordination;
import io.drayage.frame.ShipmentException;
import io.drayage.testing.Waiting;
import io.drayage.worker.CommitReport;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One trace per commit, over worker and transactor. */
@Timeout(120)
class TracesTest {
  @TempDir private Path folder;

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();

  @BeforeEach
  void record() {
    OpenTelemetrySdk sdk = OpenTelemetrySdk.builder().setTracerProvider(provider).build();
    GlobalOpenTelemetry.resetForTest();
    GlobalOpenTelemetry.set(sdk);
  }

  @AfterEach
  void stop() {
    GlobalOpenTelemetry.resetForTest();
    provider.close();
  }

  private static List<String> names(List<SpanData> spans, SpanData parent) {
    return spans.stream()
        .filter(span -> span.getParentSpanId().equals(parent.getSpanId()))
        .map(SpanData::getName)
        .toList();
  }

  private static SpanData one(List<SpanData> spans, String name) {
    List<SpanData> found = spans.stream().filter(span -> span.getName().equals(name)).toList();
    assertThat(found).as(name).hasSize(1);
    return found.get(0);
  }

  @Test
  void aCommitIsOneTraceOverWorkerAndTransactor() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode unused = cluster.primary("t1");
      Worker worker = cluster.worker("w1");
      worker.commit(Workload.next(worker.snapshot(), 1, 1));
    }
    List<SpanData> spans = exporter.getFinishedSpanItems();
    SpanData commit = one(spans, "drayage.commit");
    SpanData shipment = one(spans, "drayage.shipment");
    SpanData transactor = one(spans, "drayage.transactor");
    assertThat(spans).extracting(SpanData::getTraceId).containsOnly(commit.getTraceId());
    assertThat(spans).allMatch(span -> span.getStatus().getStatusCode() == StatusCode.UNSET);
    assertThat(commit.getParentSpanContext().isValid()).isFalse();
    assertThat(names(spans, commit))
        .containsExactlyInAnyOrder("convert", "drayage.shipment", "publish", "load");
    assertThat(names(spans, shipment))
        .containsExactlyInAnyOrder(
            "request", "serialize", "drain", "decode", "apply", "drayage.transactor");
    assertThat(transactor.getParentSpanContext().isRemote()).isTrue();
    assertThat(names(spans, transactor))
        .containsExactlyInAnyOrder("receive", "apply", "upload", "log", "publish");
    assertThat(spans).allMatch(span -> span.getEndEpochNanos() >= span.getStartEpochNanos());
    AttributeKey<Long> snapshot = AttributeKey.longKey("drayage.snapshot");
    assertThat(commit.getAttributes().get(snapshot))
        .isNotNull()
        .isEqualTo(transactor.getAttributes().get(snapshot));
  }

  /** The coordinator, its workers and the transactor may be different processes. */
  @Test
  void aTransactionOfSeveralWorkersIsOneTrace() throws Exception {
    UUID transaction;
    UUID fragment;
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode unused = cluster.primary("t1");
      Worker worker = cluster.worker("w1");
      try (DistributedTransaction begun = cluster.begin("driver");
          FragmentSender sender = cluster.fragments(begun.handle())) {
        transaction = begun.handle().transaction();
        List<UUID> sent = sender.send(Workload.next(worker.snapshot(), 1, 1).toCargo());
        fragment = sent.get(0);
        begun.commit(sent);
      }
      // The trace ends after the publication, for which the commit has not waited.
      Waiting.await(() -> transactors(exporter.getFinishedSpanItems()).size() == 2);
    }
    List<SpanData> spans = exporter.getFinishedSpanItems();
    SpanData whole = one(spans, "drayage.transaction");
    SpanData send = one(spans, "drayage.send");
    SpanData shipment = one(spans, "drayage.shipment");
    SpanData commit = one(spans, "drayage.commit");
    SpanData received = childOf(shipment, transactors(spans));
    SpanData committed = childOf(commit, transactors(spans));
    assertThat(spans).extracting(SpanData::getTraceId).containsOnly(whole.getTraceId());
    assertThat(names(spans, whole))
        .containsExactlyInAnyOrder("begin", "drayage.send", "drayage.commit");
    assertThat(names(spans, send)).containsExactly("drayage.shipment");
    assertThat(names(spans, received)).containsExactly("receive", "upload", "record");
    assertThat(committed.getParentSpanContext().isRemote()).isTrue();
    assertThat(names(spans, committed))
        .containsExactlyInAnyOrder("build", "apply", "upload", "log", "publish");
    for (SpanData span : List.of(whole, shipment, received, commit, committed)) {
      assertThat(span.getAttributes().get(AttributeKey.stringKey("drayage.transaction")))
          .as(span.getName())
          .isEqualTo(transaction.toString());
    }
    for (SpanData span : List.of(shipment, received)) {
      assertThat(span.getAttributes().get(AttributeKey.stringKey("drayage.fragment")))
          .isEqualTo(fragment.toString());
    }
    for (SpanData span : List.of(commit, committed)) {
      assertThat(span.getAttributes().get(AttributeKey.longKey("drayage.fragments"))).isOne();
    }
  }

  private static List<SpanData> transactors(List<SpanData> spans) {
    return spans.stream().filter(span -> span.getName().equals("drayage.transactor")).toList();
  }

  private static SpanData childOf(SpanData parent, List<SpanData> spans) {
    List<SpanData> found =
        spans.stream().filter(s -> s.getParentSpanId().equals(parent.getSpanId())).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  @Test
  void aFailureIsPartOfTheTrace() throws Exception {
    try (TestCluster cluster = new TestCluster(folder);
        InMemoryCoordination operator = new InMemoryCoordination(cluster.cluster)) {
      operator.maintain(true, "the store moves");
      TransactorNode unused = cluster.transactor("t1");
      Worker worker = cluster.worker(new WorkerOptions("w1"));
      assertThatExceptionOfType(ShipmentException.class)
          .isThrownBy(() -> worker.commit(Workload.next(worker.snapshot(), 1, 1)))
          .withMessageContaining("the store moves");
    }
    List<SpanData> spans = exporter.getFinishedSpanItems();
    String trace = one(spans, "drayage.commit").getTraceId();
    for (String name :
        List.of("drayage.commit", "drayage.shipment", "request", "drayage.transactor")) {
      // The first attempts may find no primary.
      assertThat(spans)
          .filteredOn(span -> span.getName().equals(name))
          .anySatisfy(
              span -> {
                assertThat(span.getTraceId()).isEqualTo(trace);
                assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
                assertThat(span.getStatus().getDescription()).contains("the store moves");
                assertThat(span.getAttributes().get(AttributeKey.stringKey("error.type")))
                    .isEqualTo("REFUSED");
              });
    }
  }

  /** A commit that took effect must not fail because of its trace. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCommitOutlivesTracingThatFails(boolean atStart) throws Exception {
    GlobalOpenTelemetry.resetForTest();
    FailingProcessor failing = new FailingProcessor(atStart);
    try (SdkTracerProvider broken = SdkTracerProvider.builder().addSpanProcessor(failing).build();
        TestCluster cluster = new TestCluster(folder)) {
      GlobalOpenTelemetry.set(OpenTelemetrySdk.builder().setTracerProvider(broken).build());
      TransactorNode unused = cluster.transactor("t1");
      Worker worker = cluster.worker("w1");
      worker.commit(Workload.next(worker.snapshot(), 1, 1)); // It may find no primary at first.
      CommitReport report = worker.commit(Workload.next(worker.snapshot(), 1, 2));
      assertThat(worker.snapshot().timestamp()).isEqualTo(report.timestamp());
      assertThat(report.attempts()).isOne();
    }
    assertThat(failing.failures).hasPositiveValue();
  }

  /** Fails when a span begins, or when it ends. */
  private static final class FailingProcessor implements SpanProcessor {
    private final boolean atStart;
    private final AtomicInteger failures = new AtomicInteger();

    FailingProcessor(boolean atStart) {
      this.atStart = atStart;
    }

    private void fail() {
      failures.incrementAndGet();
      throw new IllegalStateException("the exporter is broken");
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
      fail();
    }

    @Override
    public boolean isStartRequired() {
      return atStart;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      fail();
    }

    @Override
    public boolean isEndRequired() {
      return !atStart;
    }
  }

  @Test
  void nothingIsTracedWithoutAnSdk() throws Exception {
    GlobalOpenTelemetry.resetForTest();
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode unused = cluster.transactor("t1");
      Worker worker = cluster.worker("w1");
      worker.commit(Workload.next(worker.snapshot(), 1, 1));
    }
    // It is still free, so that an application may set one later.
    assertThat(GlobalOpenTelemetry.isSet()).isFalse();
    assertThat(exporter.getFinishedSpanItems()).isEmpty();
  }
}
