package io.drayage.objectstore.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.objectstore.MemoryObjects;
import io.drayage.objectstore.ObjectUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasuredStoreTest {
  private static final int MIB = 1 << 20;
  private static final int BYTES = 64 * MIB;

  private final AtomicLong nowNs = new AtomicLong();
  private final SlowStore slow = new SlowStore();
  private final MeasuredStore store = new MeasuredStore(slow, nowNs::get);
  private int uploads;

  /** A store that needs time by the clock, and does not keep large objects. */
  private final class SlowStore extends ForwardingStore {
    private long writeMs = 10;
    private long completeMs;
    private long readMs = 20;

    SlowStore() {
      super(new MemoryObjects("memory"));
    }

    @Override
    public ObjectUpload begin(String key) {
      return new ObjectUpload() {
        @Override
        public void write(ByteBuffer bytes) {
          pass(writeMs);
        }

        @Override
        public void complete() {
          pass(completeMs);
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void read(String key, long offset, ByteBuffer target) {
      pass(readMs);
    }
  }

  private void pass(long ms) {
    nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
  }

  /** Uploads pieces of a MiB. The store waits for {@code pauseMs} between them. */
  private void upload(int bytes, long pauseMs) throws IOException {
    try (ObjectUpload upload = store.begin("data/" + uploads++)) {
      for (int written = 0; written < bytes; written += MIB) {
        pass(pauseMs);
        upload.write(ByteBuffer.allocate(Math.min(MIB, bytes - written)));
      }
      upload.complete();
    }
  }

  private void read(int count, int bytes) throws IOException {
    for (int i = 0; i < count; i++) {
      store.read("data/1", 0, ByteBuffer.allocate(bytes));
    }
  }

  @Test
  void knowsNothingAtFirst() {
    assertThat(store.writeBytesPerSecond()).isZero();
    assertThat(store.readBytesPerSecond()).isZero();
  }

  /**
   * Uploads, and the binary logarithm of the rate after each. An upload has its MiB, and the ms of
   * a write, of the pause before it, and of the end.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          shows what the store takes, 105 MB/s   | 64 10 0 0 = 27
          waits for its caller, 57 ns, mean of 35 | 64 10 500 0 = 0; 64 60 0 0 = 24; 64 6 7 0 = 25
          is as fast as a disk                   | 64 4 0 0 = 0
          has its bytes at the end               | 64 0 0 1000 = 26
          is short, and shows no slower store    | 64 60 0 0 = 24; 4 10 0 0 = 25; 4 100 0 0 = 25
          counts as much as all before           | 64 1 0 0 = 0; 64 15 0 0 = 27; 64 60 0 0 = 25
          """)
  void anUpload(String what, String uploads) throws IOException {
    for (String each : uploads.split("; ", -1)) {
      int[] numbers =
          Pattern.compile("\\D+").splitAsStream(each).mapToInt(Integer::parseInt).toArray();
      slow.writeMs = numbers[1];
      slow.completeMs = numbers[3];
      upload(numbers[0] * MIB, numbers[2]);
      assertThat(store.writeBytesPerSecond())
          .as("%s: %s", what, each)
          .isEqualTo(numbers[4] == 0 ? 0 : 1L << numbers[4]);
      assertThat(store.readBytesPerSecond()).isZero();
    }
  }

  @Test
  void aShortUploadShowsNothing() throws IOException {
    upload((int) StoreRate.MIN_BYTES - 1, 0);
    upload((int) StoreRate.MIN_BYTES - 1, 0);
    assertThat(store.writeBytesPerSecond()).isZero();
  }

  @Test
  void whatABufferTakesDoesNotMakeItFast() throws IOException {
    slow.writeMs = 60;
    upload(BYTES, 0); // 57 ns a byte
    slow.writeMs = 0;
    for (int i = 1; i < StoreRate.MAX_UNLIMITED; i++) {
      upload(BYTES, 70);
      assertThat(store.writeBytesPerSecond()).isEqualTo(1 << 24);
    }
  }

  @Test
  void aStoreThatWasSlowLongAgoCountsAsFaster() throws IOException {
    slow.writeMs = 60;
    upload(BYTES, 0);
    slow.writeMs = 0;
    for (int i = 0; i < StoreRate.MAX_UNLIMITED; i++) {
      upload(4 * MIB, 70);
    }
    assertThat(store.writeBytesPerSecond()).isEqualTo(1 << 25);
    slow.writeMs = 60;
    upload(BYTES, 0); // This shows that the assumption was wrong.
    assertThat(store.writeBytesPerSecond()).isEqualTo(1 << 24);
  }

  @Test
  void anUploadThatIsAbortedShowsNothing() throws IOException {
    try (ObjectUpload upload = store.begin("data/1")) {
      upload.write(ByteBuffer.allocate(BYTES));
    }
    assertThat(store.writeBytesPerSecond()).isZero();
  }

  @Test
  void uploadsAtATimeShareTheStore() throws IOException {
    try (ObjectUpload one = store.begin("data/1");
        ObjectUpload other = store.begin("data/2")) {
      for (int i = 0; i < BYTES / MIB; i++) {
        one.write(ByteBuffer.allocate(MIB));
        other.write(ByteBuffer.allocate(MIB));
      }
      one.complete();
      other.complete();
    }
    assertThat(store.writeBytesPerSecond()).isEqualTo(1 << 27);
  }

  @Test
  void readsShowWhatTheStoreGives() throws IOException {
    slow.readMs = 80;
    read(8, 8 * MIB); // 105 MB/s
    assertThat(store.readBytesPerSecond()).isEqualTo(1 << 27);
    assertThat(store.writeBytesPerSecond()).isZero();
  }

  @Test
  void shortReadsShowNothing() throws IOException {
    read(64, MIB - 1);
    assertThat(store.readBytesPerSecond()).isZero();
  }

  @Test
  void whatMeasuresIsNotMeasuredAgain() {
    assertThat(MeasuredStore.of(store)).isSameAs(store);
  }
}
