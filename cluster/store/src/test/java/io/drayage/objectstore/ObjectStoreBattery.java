package io.drayage.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.testing.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests that every object store must pass; the tests of each implementation inherit them. */
public abstract class ObjectStoreBattery {
  /** More than two parts of an S3 upload. */
  protected static final int LARGE_BYTES = 12_000_000;

  @AutoClose private ObjectStore store;

  /** An empty store. */
  protected abstract ObjectStore open() throws Exception;

  @BeforeEach
  void openStore() throws Exception {
    store = open();
  }

  protected final ObjectStore store() {
    return store;
  }

  /** Random bytes. */
  protected static ByteBuffer bytes(long seed, int count) {
    byte[] bytes = new byte[count];
    new SplittableRandom(seed).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  protected final ByteBuffer read(String key) throws IOException {
    ByteBuffer target = ByteBuffer.allocate((int) store.size(key));
    store.read(key, 0, target);
    return target.flip();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, LARGE_BYTES})
  void holdsWhatWasPut(int count) throws Exception {
    store.put("a/object", bytes(1, count));

    assertThat(store.size("a/object")).isEqualTo(count);
    assertThat(read("a/object")).isEqualTo(bytes(1, count));
  }

  @Test
  void holdsWhatWasWrittenInPieces() throws Exception {
    ByteBuffer content = bytes(2, LARGE_BYTES);
    SplittableRandom random = new SplittableRandom(2);
    try (ObjectUpload upload = store.begin("pieces")) {
      while (content.hasRemaining()) {
        int count = Math.min(content.remaining(), random.nextInt(1, 2_000_000));
        ByteBuffer piece = ByteBuffer.allocateDirect(count);
        piece.put(content.slice(content.position(), count)).flip();
        upload.write(piece);
        assertThat(piece.hasRemaining()).isFalse();
        content.position(content.position() + count);
      }
      upload.complete();
    }

    assertThat(read("pieces")).isEqualTo(bytes(2, LARGE_BYTES));
  }

  @Test
  void showsNothingBeforeTheObjectIsComplete() throws Exception {
    try (ObjectUpload upload = store.begin("later")) {
      upload.write(bytes(3, LARGE_BYTES));
      assertThat(store.list("")).isEmpty();
      assertThatThrownBy(() -> store.size("later")).isInstanceOf(ObjectMissingException.class);
      upload.complete();
    }
    assertThat(store.list("")).extracting(StoredObject::key).containsExactly("later");
  }

  @ParameterizedTest
  @ValueSource(ints = {10, LARGE_BYTES})
  void createsAnObjectOnce(int count) throws Exception {
    store.put("once", bytes(4, 10));

    assertThatThrownBy(() -> store.put("once", bytes(5, count)))
        .isInstanceOf(ObjectExistsException.class)
        .hasMessageContaining("once")
        .hasMessageContaining(store.name());
    assertThat(read("once")).isEqualTo(bytes(4, 10));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, LARGE_BYTES})
  void ofTwoUploadsTheFirstToCompleteWins(int count) throws Exception {
    try (ObjectUpload first = store.begin("raced");
        ObjectUpload second = store.begin("raced")) {
      first.write(bytes(6, count));
      second.write(bytes(7, count));
      second.complete();
      assertThatThrownBy(first::complete).isInstanceOf(ObjectExistsException.class);
    }
    assertThat(read("raced")).isEqualTo(bytes(7, count));
  }

  @Test
  void ofManyPutsOneWins() throws Exception {
    List<Waiting.Running<Boolean>> puts = new ArrayList<>();
    for (int t = 0; t < 6; t++) {
      ByteBuffer content = bytes(t, 100);
      puts.add(Waiting.start(() -> wins(content)));
    }
    int winners = 0;
    for (Waiting.Running<Boolean> put : puts) {
      winners += put.get() ? 1 : 0;
    }
    assertThat(winners).isOne();
  }

  private boolean wins(ByteBuffer content) throws IOException {
    try {
      store.put("log/1", content);
      return read("log/1").equals(content);
    } catch (ObjectExistsException e) {
      return false;
    }
  }

  @Test
  void readsAnyPart() throws Exception {
    ByteBuffer content = bytes(8, 100_000);
    store.put("parts", content);

    ByteBuffer target = ByteBuffer.allocateDirect(500).position(100).limit(400);
    store.read("parts", 7_777, target);
    assertThat(target.position()).isEqualTo(400);
    assertThat(target.slice(100, 300)).isEqualTo(content.slice(7_777, 300));
  }

  @Test
  void whatCanBeWrittenPassesTheCheckAndStaysEmpty() throws Exception {
    store.requireWritable();
    assertThat(store.list("")).isEmpty();
    assertThat(store.deleteUnfinished(key -> true, Duration.ofSeconds(-10))).isZero();
  }

  @Test
  void refusesToReadBeyondTheEnd() throws Exception {
    store.put("short", bytes(9, 100));

    assertThatThrownBy(() -> store.read("short", 50, ByteBuffer.allocate(51)))
        .isInstanceOf(ObjectCorruptException.class)
        .hasMessageContaining("short");
    assertThatThrownBy(() -> store.read("short", 100, ByteBuffer.allocate(1)))
        .isInstanceOf(ObjectCorruptException.class);
  }

  @Test
  void namesAnObjectThatIsMissing() {
    assertThatThrownBy(() -> store.read("absent", 0, ByteBuffer.allocate(1)))
        .isInstanceOf(ObjectMissingException.class)
        .hasMessageContaining(store.name())
        .hasMessageContaining("absent: no such object");
    assertThatThrownBy(() -> store.size("absent")).isInstanceOf(ObjectMissingException.class);
  }

  @Test
  void listsByPrefixInTheOrderOfKeys() throws Exception {
    for (String key : List.of("b/2", "a/10", "b/1", "b-other", "a/1")) {
      store.put(key, bytes(10, key.length()));
    }
    assertThat(store.list("b/")).extracting(StoredObject::key).containsExactly("b/1", "b/2");
    assertThat(store.list("a/1")).extracting(StoredObject::key).containsExactly("a/1", "a/10");
    assertThat(store.list("none/")).isEmpty();
    assertThat(store.list("b/").get(0).bytes()).isEqualTo(3);
  }

  @Test
  void deletesWhatIsThereAndWhatIsNot() throws Exception {
    store.put("gone", bytes(11, 10));
    store.delete("gone");
    store.delete("gone");

    assertThat(store.list("")).isEmpty();
    store.put("gone", bytes(12, 10));
  }

  @Test
  void anUploadThatIsGivenUpLeavesNothing() throws Exception {
    try (ObjectUpload upload = store.begin("given-up")) {
      upload.write(bytes(13, LARGE_BYTES));
    }
    assertThat(store.list("")).isEmpty();
    assertThat(store.deleteUnfinished(key -> true, Duration.ZERO)).isZero();
  }

  @Test
  void deletesUploadsThatNobodyEnds() throws Exception {
    ObjectUpload upload = store.begin("forgotten");
    upload.write(bytes(14, LARGE_BYTES));

    assertThat(store.deleteUnfinished(key -> true, Duration.ofHours(1))).isZero();
    assertThat(store.deleteUnfinished(key -> true, Duration.ofSeconds(-10))).isOne();
    assertThatThrownBy(upload::complete).isInstanceOf(ObjectStoreException.class);
    upload.close();
    assertThat(store.list("")).isEmpty();
  }

  @Test
  void refusesKeysThatLeaveTheStore() {
    for (String key : List.of("", "/etc", "a//b", "../x", "a/../b", ".uploads/x", "a/")) {
      assertThatThrownBy(() -> store.put(key, bytes(15, 1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
