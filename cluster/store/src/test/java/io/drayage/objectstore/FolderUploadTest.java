package io.drayage.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.testing.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the way in which large objects in a folder are written, and the state after a crash. */
@Timeout(300)
final class FolderUploadTest {
  private static final int PIECE = DirectPieces.PIECE_BYTES;

  /** The pieces of both trials, some in the chosen way, and an odd end. */
  private static final int OBJECT_BYTES = (2 * WriteWay.TRIAL_PIECES + 3) * PIECE + 4_711;

  @TempDir private Path folder;

  private static byte[] bytes(long seed, int count) {
    byte[] bytes = new byte[count];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  /** Puts an object in pieces like frames, which end at no boundary. */
  private static void put(ObjectStore store, String key, byte[] content) throws IOException {
    try (ObjectUpload upload = store.begin(key)) {
      write(upload, content);
      upload.complete();
    }
  }

  private static void write(ObjectUpload upload, byte[] content) throws IOException {
    for (int at = 0; at < content.length; ) {
      int count = Math.min(PIECE + 24, content.length - at);
      upload.write(ByteBuffer.wrap(content, at, count));
      at += count;
    }
  }

  private static byte[] read(ObjectStore store, String key) throws IOException {
    byte[] read = new byte[(int) store.size(key)];
    store.read(key, 0, ByteBuffer.wrap(read));
    return read;
  }

  private static void preferDirect(FolderStore store) {
    for (int i = 0; i < WriteWay.TRIAL_PIECES; i++) {
      store.way.written(false, 1_000_000_000);
      store.way.written(true, 1_000);
    }
  }

  /** A real file that a test watches. */
  static class WatchedFile implements UploadFile {
    final Path path;
    private final UploadFile file;

    WatchedFile(Path path) throws IOException {
      this.path = path;
      this.file = UploadFile.CHANNELS.open(path);
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
      file.write(bytes, offset);
    }

    @Override
    public boolean writeDirect(ByteBuffer bytes, long offset) throws IOException {
      return file.writeDirect(bytes, offset);
    }

    @Override
    public void force() throws IOException {
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /**
   * A machine that loses power after some steps. Bytes that are not forced by then are lost: here
   * they are replaced by others.
   */
  private static final class LosingPower {
    private final int after;
    private final AtomicInteger steps = new AtomicInteger();
    private final List<PoweredFile> files = new ArrayList<>();

    LosingPower(int after) {
      this.after = after;
    }

    boolean isOff() {
      return steps.get() >= after;
    }

    UploadFile open(Path path) throws IOException {
      PoweredFile file = new PoweredFile(path, this);
      files.add(file);
      return file;
    }

    void step() throws IOException {
      if (steps.incrementAndGet() > after) {
        throw new IOException("the power is off");
      }
    }

    /** Loses the power. Must be called after the last write. */
    void lose(Path finished) throws IOException {
      for (PoweredFile file : files) {
        file.lose(Files.exists(finished) ? finished : file.path);
      }
    }
  }

  private static final class PoweredFile extends WatchedFile {
    private final LosingPower power;

    /** Offsets and lengths of written bytes that are not forced. Guarded by itself. */
    private final Map<Long, Integer> unforced = new TreeMap<>();

    PoweredFile(Path path, LosingPower power) throws IOException {
      super(path);
      this.power = power;
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
      written(bytes, offset);
      super.write(bytes, offset);
    }

    @Override
    public boolean writeDirect(ByteBuffer bytes, long offset) throws IOException {
      written(bytes, offset);
      return super.writeDirect(bytes, offset);
    }

    private void written(ByteBuffer bytes, long offset) throws IOException {
      power.step();
      synchronized (unforced) {
        unforced.merge(offset, bytes.remaining(), Math::max);
      }
    }

    @Override
    public void force() throws IOException {
      power.step();
      Map<Long, Integer> before;
      synchronized (unforced) {
        before = new TreeMap<>(unforced);
      }
      super.force();
      synchronized (unforced) {
        unforced.entrySet().removeAll(before.entrySet());
      }
    }

    void lose(Path where) throws IOException {
      if (!Files.exists(where)) {
        return;
      }
      try (UploadFile file = UploadFile.CHANNELS.open(where)) {
        for (Map.Entry<Long, Integer> range : unforced.entrySet()) {
          file.write(ByteBuffer.allocate(range.getValue()), range.getKey());
        }
      }
    }
  }

  @Test
  @Tag("ci")
  void aCrashAtAnyStepLeavesAllOfAnObjectOrNothing() throws Exception {
    byte[] content = bytes(1, OBJECT_BYTES);
    int survived = 0;
    int lost = 0;
    for (int steps = 0; survived < 2; steps += steps < 20 ? 7 : 1) {
      Path root = folder.resolve(Integer.toString(steps));
      LosingPower power = new LosingPower(steps);
      FolderStore crashing = FolderStore.open(root, power::open);
      boolean complete = false;
      try {
        // Not closed, because the process has ended.
        ObjectUpload upload = crashing.begin("object");
        write(upload, content);
        upload.complete();
        complete = true;
      } catch (ObjectStoreException e) {
        assertThat(power.isOff()).as("after %d steps: %s", steps, e).isTrue();
      }
      crashing.close();
      assertThat(crashing.writers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
      assertThat(crashing.flusher.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
      power.lose(root.resolve("object"));

      try (ObjectStore after = FolderStore.open(root)) {
        assertThat(after.list("").size()).as("after %d steps", steps).isEqualTo(complete ? 1 : 0);
        if (complete) {
          assertThat(read(after, "object")).isEqualTo(content);
          survived++;
        } else {
          lost++;
          put(after, "object", content);
          assertThat(read(after, "object")).isEqualTo(content);
        }
      }
    }
    assertThat(lost).isGreaterThan(5);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {OBJECT_BYTES, 40 * PIECE, 16 * PIECE + 1, PIECE, FolderUpload.HEAD_BYTES + 1})
  void writesTheSameBytesEitherWay(int count) throws Exception {
    try (FolderStore store = FolderStore.open(folder)) {
      put(store, "measured", bytes(3, count));
      preferDirect(store);
      put(store, "direct", bytes(4, count));
      store.way.excludeDirect();
      put(store, "cached", bytes(5, count));

      assertThat(read(store, "measured")).isEqualTo(bytes(3, count));
      assertThat(read(store, "direct")).isEqualTo(bytes(4, count));
      assertThat(read(store, "cached")).isEqualTo(bytes(5, count));
    }
  }

  @Test
  void usesThePageCacheWhereTheFileSystemHasNoOtherWay() throws Exception {
    UploadFile.Opener cannot =
        path ->
            new WatchedFile(path) {
              @Override
              public boolean writeDirect(ByteBuffer bytes, long offset) {
                return false;
              }
            };
    try (FolderStore store = FolderStore.open(folder, cannot)) {
      put(store, "object", bytes(6, OBJECT_BYTES));
      assertThat(read(store, "object")).isEqualTo(bytes(6, OBJECT_BYTES));
      assertThat(store.describeWriting()).isEqualTo("page cache");
    }
  }

  @Test
  void aDiskThatStandsStillHoldsUpOneStoresBuffersUntilTheUploadIsAborted() throws Exception {
    CountDownLatch goesOn = new CountDownLatch(1);
    UploadFile.Opener standing =
        path ->
            new WatchedFile(path) {
              @Override
              public boolean writeDirect(ByteBuffer bytes, long offset) throws IOException {
                try {
                  goesOn.await();
                } catch (InterruptedException e) {
                  throw new IOException(e);
                }
                return super.writeDirect(bytes, offset);
              }
            };
    try (FolderStore store = FolderStore.open(folder, standing)) {
      ObjectUpload upload = store.begin("stalled");
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(
              () -> {
                preferDirect(store);
                byte[] piece = bytes(7, PIECE);
                assertThatThrownBy(
                        () -> {
                          while (true) {
                            upload.write(ByteBuffer.wrap(piece));
                          }
                        })
                    .isInstanceOf(ObjectStoreException.class)
                    .hasMessageContaining("stalled: ");
              });
      Waiting.await(() -> store.pieceBytes() == FolderStore.WRITE_BUFFER_BYTES);
      upload.close();
      writing.join();
      goesOn.countDown();
      Waiting.await(() -> store.pieceBytes() == 0);

      put(store, "next", bytes(8, OBJECT_BYTES));
      assertThat(read(store, "next")).isEqualTo(bytes(8, OBJECT_BYTES));
      assertThat(store.list("")).hasSize(1);
    }
  }

  @Test
  void aFailedPieceFailsTheObject() throws Exception {
    UploadFile.Opener failing =
        path ->
            new WatchedFile(path) {
              @Override
              public boolean writeDirect(ByteBuffer bytes, long offset) throws IOException {
                throw new IOException("Input/output error");
              }
            };
    try (FolderStore store = FolderStore.open(folder, failing)) {
      assertThatThrownBy(() -> put(store, "object", bytes(9, OBJECT_BYTES)))
          .isInstanceOf(ObjectStoreException.class)
          .hasMessageContaining("object: Input/output error");
      assertThat(store.list("")).isEmpty();
      Waiting.await(() -> store.pieceBytes() == 0);
    }
    assertThat(folder.resolve(FolderStore.UPLOADS)).isEmptyDirectory();
  }
}
