package io.drayage.objectstore;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.objectstore.FlakyS3.Fault;
import io.drayage.objectstore.FlakyS3.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests every operation of {@link S3Store} with a network and a server that fail in every way: the
 * operation succeeds, with the right bytes, or reports the true state.
 */
@Tag("ci")
final class S3FaultsTest {
  private static final AtomicInteger LAST_PREFIX = new AtomicInteger();
  private static final int FOREVER = Integer.MAX_VALUE;
  private static final Duration SHORT = Duration.ofMillis(60);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int LARGE_BYTES = S3Options.MIN_PART_BYTES + 1000;

  @TempDir private static Path folder;
  private static S3Server server;
  private static FlakyS3 flaky;
  private static S3Store patient;
  private static S3Store impatient;

  /** The prefix of this test's keys. */
  private final String prefix = format("test-%d/", LAST_PREFIX.incrementAndGet());

  @BeforeAll
  static void start() throws Exception {
    server = S3Server.start(folder);
    flaky = new FlakyS3(server.endpoint());
    patient = open(LONG);
    impatient = open(SHORT);
  }

  @AfterAll
  static void stop() throws Exception {
    patient.close();
    impatient.close();
    flaky.close();
    server.stop();
  }

  private static S3Store open(Duration patience) throws IOException {
    return S3Store.open(
        S3Options.parse(
            "%s?endpoint=%s&part-bytes=5242880".formatted(S3Server.BUCKET, flaky.endpoint())),
        patience);
  }

  /** Calls an operation, and checks the answer. The object {@code there} exists. */
  private void call(Operation operation, S3Store store) throws IOException {
    switch (operation) {
      case PUT -> store.put(prefix + "small", small());
      case BEGIN_PARTS, PUT_PART, COMPLETE -> store.put(prefix + "large", large());
      case ABORT -> {
        try (ObjectUpload upload = store.begin(prefix + "given-up")) {
          upload.write(large());
        }
      }
      case READ -> assertThat(read(store, "there", 100)).isEqualTo(small());
      case SIZE -> assertThat(store.size(prefix + "there")).isEqualTo(100);
      case LIST ->
          assertThat(store.list(prefix))
              .extracting(StoredObject::key)
              .containsExactly(prefix + "there");
      case LIST_UPLOADS -> {
        ObjectUpload left = store.begin(prefix + "left");
        left.write(large());
        assertThat(deleteUnfinished(store)).isOne();
      }
      case DELETE -> store.delete(prefix + "there");
      case BUCKET -> open(LONG).close();
    }
  }

  private int deleteUnfinished(S3Store store) throws IOException {
    return store.deleteUnfinished(key -> key.startsWith(prefix), Duration.ofSeconds(-10));
  }

  private static ByteBuffer small() {
    return ObjectStoreBattery.bytes(1, 100);
  }

  private static ByteBuffer large() {
    return ObjectStoreBattery.bytes(2, LARGE_BYTES);
  }

  private ByteBuffer read(S3Store store, String key, int bytes) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(bytes);
    store.read(prefix + key, 0, target);
    return target.flip();
  }

  /** Checks the state after a successful call. */
  private void check(Operation operation) throws IOException {
    switch (operation) {
      case PUT -> assertThat(read(patient, "small", 100)).isEqualTo(small());
      case BEGIN_PARTS, PUT_PART, COMPLETE ->
          assertThat(read(patient, "large", LARGE_BYTES)).isEqualTo(large());
      case ABORT -> assertThat(deleteUnfinished(patient)).isZero();
      case DELETE -> assertThat(patient.list(prefix)).isEmpty();
      default -> {}
    }
  }

  /** The cases that every build runs. */
  private static Stream<Arguments> few() {
    return Stream.concat(
        all().filter(each -> each.get()[0] == Operation.PUT || each.get()[1] == Fault.CONFLICT),
        Stream.of(
            Arguments.of(Operation.COMPLETE, Fault.CLOSE_AFTER),
            Arguments.of(Operation.READ, Fault.HALF_BODY),
            Arguments.of(Operation.LIST, Fault.NO_BODY)));
  }

  private static Stream<Arguments> all() {
    return Arrays.stream(Operation.values())
        .flatMap(
            operation ->
                Arrays.stream(Fault.values())
                    .filter(fault -> hasBody(operation) || !isOfBody(fault))
                    .filter(fault -> !isHead(operation) || fault != Fault.TIMEOUT)
                    .map(fault -> Arguments.of(operation, fault)));
  }

  /** Whether the answer has a body. Without one, it is complete after its head. */
  private static boolean hasBody(Operation operation) {
    return switch (operation) {
      case PUT, PUT_PART, ABORT, DELETE, SIZE, BUCKET -> false;
      default -> true;
    };
  }

  /** Whether the answer lacks the code that distinguishes status 400 from a wrong request. */
  private static boolean isHead(Operation operation) {
    return operation == Operation.SIZE || operation == Operation.BUCKET;
  }

  private static boolean isOfBody(Fault fault) {
    return fault == Fault.NO_BODY || fault == Fault.HALF_BODY || fault == Fault.ERROR_WITH_OK;
  }

  @ParameterizedTest
  @MethodSource("few")
  void succeedsAfterOneFailure(Operation operation, Fault fault) throws Exception {
    succeeds(operation, fault, 1);
  }

  @ParameterizedTest
  @Tag("nightly")
  @MethodSource("all")
  void succeedsAfterTwoFailuresOfEveryKind(Operation operation, Fault fault) throws Exception {
    succeeds(operation, fault, 2);
  }

  private void succeeds(Operation operation, Fault fault, int times) throws Exception {
    patient.put(prefix + "there", small());
    flaky.spoil(operation, fault, times);
    call(operation, patient);
    assertThat(flaky.requests()).isGreaterThan(times);
    check(operation);
  }

  @ParameterizedTest
  @MethodSource("few")
  void saysWhatIsTrueIfTheFailureStays(Operation operation, Fault fault) throws Exception {
    stays(operation, fault);
  }

  @ParameterizedTest
  @Tag("nightly")
  @MethodSource("all")
  void saysWhatIsTrueWhateverFailureStays(Operation operation, Fault fault) throws Exception {
    stays(operation, fault);
  }

  private void stays(Operation operation, Fault fault) throws Exception {
    patient.put(prefix + "there", small());
    if (operation == Operation.BUCKET) {
      return;
    }
    flaky.spoil(operation, fault, FOREVER);
    try {
      call(operation, impatient);
    } catch (ObjectStoreException e) {
      assertThat(e)
          .isExactlyInstanceOf(ObjectStoreException.class)
          .hasMessageContaining(impatient.name());
      return;
    } finally {
      flaky.spoil(operation, fault, 0);
    }
    if (operation != Operation.ABORT) {
      check(operation);
    }
  }

  @Test
  void noSecondLayerMultipliesTheAttempts() throws Exception {
    flaky.spoil(Operation.PUT, Fault.SLOW_DOWN, 2);
    patient.put(prefix + "small", small());
    assertThat(flaky.requests()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"PUT, CONFLICT", "PUT, CLOSE_AFTER", "COMPLETE, CONFLICT", "COMPLETE, CLOSE_AFTER"})
  void anObjectOfAnotherIsNeverTakenForItsOwn(Operation operation, Fault fault) throws Exception {
    try (ObjectUpload upload = patient.begin(prefix + "raced")) {
      upload.write(operation == Operation.PUT ? small() : large());
      patient.put(prefix + "raced", ObjectStoreBattery.bytes(3, 10));
      flaky.spoil(operation, fault, 1);
      assertThatThrownBy(upload::complete).isInstanceOf(ObjectExistsException.class);
    }
    assertThat(read(patient, "raced", 10)).isEqualTo(ObjectStoreBattery.bytes(3, 10));
  }

  @Test
  void doesNotCallItCreatedByAnotherIfThatCannotBeRead() throws Exception {
    patient.put(prefix + "there", small());
    flaky.spoil(Operation.SIZE, Fault.SLOW_DOWN, FOREVER);
    assertThatThrownBy(() -> impatient.put(prefix + "there", small()))
        .isExactlyInstanceOf(ObjectStoreException.class)
        .hasMessageContaining("it is unknown whether it was created");
  }

  @Test
  void aConnectionThatIsCutIsNoDamage() throws Exception {
    patient.put(prefix + "there", small());
    flaky.spoil(Operation.READ, Fault.HALF_BODY, FOREVER);
    assertThatThrownBy(() -> read(impatient, "there", 100))
        .isExactlyInstanceOf(ObjectStoreException.class)
        .hasMessageContaining("the connection ended after 50 of 100 bytes from offset 0");
    flaky.spoil(Operation.READ, Fault.HALF_BODY, 0);
    assertThatThrownBy(() -> read(impatient, "there", 101))
        .isInstanceOf(ObjectCorruptException.class)
        .hasMessageContaining("it ends after 100 of 101 bytes from offset 0");
  }

  /** The answer to HEAD, the first request at opening, has no text with the reason. */
  @Test
  void aClockThatIsWrongKeepsNobodyOut() throws Exception {
    flaky.setClock(Duration.ofMinutes(10)); // The real server tolerates 15 minutes.
    try (S3Store opened = open(LONG)) {
      opened.put(prefix + "there", small());
      assertThat(read(opened, "there", 100)).isEqualTo(small());
    } finally {
      flaky.setClock(Duration.ZERO);
    }
  }
}
