package io.drayage.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules for stacks as they occur. */
final class FrameRulesTest {
  private static final byte JAVA = one.convert.Frame.TYPE_JIT_COMPILED;
  private static final byte KERNEL = one.convert.Frame.TYPE_KERNEL;

  private final FrameRules rules = FrameRules.ofDrayage();

  private static Sample sample(boolean waiting, String role, String stack) {
    List<Frame> frames =
        Arrays.stream(stack.split(";"))
            .map(String::strip)
            .map(
                name ->
                    name.startsWith("k:")
                        ? new Frame(name.substring(2), KERNEL)
                        : new Frame(name, JAVA))
            .toList();
    ProfilerEvent event = waiting ? ProfilerEvent.WALL : ProfilerEvent.CPU;
    return new Sample(event, waiting, 0, "thread", role, frames, 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kryo-flush | com.esotericsoftware.kryo.Kryo.writeObject; com.esotericsoftware.kryo.io.Output.flush; net.jpountz.lz4.LZ4FrameOutputStream.writeBlock; java.util.Arrays.fill",
        "kryo-flush | com.esotericsoftware.kryo.io.Output.flush; net.jpountz.lz4.LZ4FrameOutputStream.flush; java.util.Arrays.fill; __memset_avx2_unaligned_erms",
        "zeroing    | java.lang.Thread.run; java.util.Arrays.fill; __memset_avx2_unaligned_erms",
        "zeroing    | io.drayage.cargo.ColumnValues.page; k:asm_exc_page_fault; k:handle_mm_fault; k:some_function",
        "compressor | com.esotericsoftware.kryo.io.Output.flush; net.jpountz.lz4.LZ4FrameOutputStream.write; net.jpountz.lz4.LZ4JNI.LZ4_compress_limitedOutput",
        "checksums  | io.drayage.frame.FrameHeader.write; java.util.zip.CRC32C.update; updateBytesCRC32C",
        "copies     | io.drayage.baseline.stream.ChunkOutputStream.write; java.nio.HeapByteBuffer.put; jbyte_disjoint_arraycopy",
        "socket-copies | io.netty.channel.epoll.Native.writev; k:do_syscall_64; k:tcp_sendmsg_locked; k:_copy_from_iter",
        "system-calls  | io.netty.channel.epoll.Native.writev; k:do_syscall_64; k:tcp_sendmsg_locked; k:__check_object_size",
        "wake-ups   | io.netty.channel.epoll.Native.eventFdWrite; k:do_syscall_64; k:try_to_wake_up",
        "tls        | io.netty.handler.ssl.SslHandler.wrap; io.netty.internal.tcnative.SSL.writeToSSL",
        "grpc       | io.grpc.internal.MessageFramer.writePayload; io.grpc.netty.shaded.io.netty.buffer.AbstractByteBuf.writeBytes",
        "netty      | io.netty.channel.socket.nio.NioSocketChannel.doWrite",
        "reads      | io.drayage.baseline.java.JavaSerializer.readCargo; java.io.ObjectInputStream$BlockDataInputStream.readLongs",
        "java-serialization | java.io.ObjectOutputStream.writeArray; java.io.Bits.putLong",
        "kryo       | com.esotericsoftware.kryo.io.Output.writeVarLong; java.util.HashMap.get",
        "msgpack    | org.msgpack.core.MessagePacker.packLong",
        "serializers| io.drayage.codec.raw.RawSegmentSerializer.write",
        "chunks     | io.drayage.baseline.stream.ChunkOutputStream.queueChunk",
        "jdk        | java.lang.Thread.run; java.util.HashMap.get",
        "jvm        | JavaThread::run; SharedRuntime::resolve",
        "unknown    | no; idea",
        "unknown    | [unknown]",
      })
  void knowsWhoTookTheProcessor(String rule, String stack) {
    assertThat(rules.of(sample(false, "other", stack)).id()).isEqualTo(rule);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "queues    | io.drayage.baseline.stream.StreamSender.drain; java.util.concurrent.ArrayBlockingQueue.take; io.drayage.baseline.stream.TransferQueue.take; jdk.internal.misc.Unsafe.park; __futex_abstimed_wait_common",
        "grpc      | io.drayage.baseline.grpc.GrpcShipment.send; java.lang.Object.wait; ObjectMonitor::wait",
        "idle-loop | io.netty.channel.epoll.EpollIoHandler.epollWait; epoll_wait",
        "answer    | io.drayage.send.ShipmentTimer.awaitCommit; java.util.concurrent.CompletableFuture.get",
        "idle-pool | io.drayage.codec.pool.CodecPool.work; java.util.concurrent.Semaphore.acquire",
        "libc      | start_thread; __futex_abstimed_wait_common",
      })
  void knowsWhatIsWaitedFor(String rule, String stack) {
    assertThat(rules.of(sample(true, "other", stack)).id()).isEqualTo(rule);
  }

  @Test
  void givesAllOfACollectorToIt() {
    assertThat(rules.of(sample(false, "GC", "GangWorker::run; __memset_avx2")).id())
        .isEqualTo("gc");
    assertThat(rules.of(sample(false, "JIT", "Compile::Compile")).id()).isEqualTo("jit");
  }

  @Test
  void countsWhatIsCalledAsWell() {
    Sample sample =
        sample(
            false,
            "event loop",
            "io.grpc.netty.shaded.io.netty.channel.epoll.Native.writev; k:do_syscall_64; k:_copy_from_iter");

    assertThat(rules.under(sample))
        .extracting(FrameRules.Rule::id)
        .contains("grpc", "system-calls", "socket-copies");
  }

  @Test
  void namesEverySuspectOfTheStudy() {
    assertThat(rules.rules())
        .filteredOn(rule -> rule.kind() == FrameRules.RuleKind.STUDY)
        .extracting(FrameRules.Rule::id)
        .containsExactlyInAnyOrder("grpc", "queues", "chunks", "reads", "kryo-flush");
  }

  @Test
  void refusesWhatIsNoRule() {
    assertThatThrownBy(() -> FrameRules.parse(List.of("cpu java.*")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cpu java.*");
    assertThatThrownBy(() -> FrameRules.parse(List.of("[a] ours: a", "sometimes java.*")))
        .hasMessageContaining("sometimes java.*");
    assertThatThrownBy(() -> FrameRules.parse(List.of("[a] ours: a", "[a] ours: b")))
        .hasMessageContaining("'a' is listed twice");
  }

  @Test
  void timersSeeNoPartOfTheseThatIsInTheKernel() {
    assertThat(rules.rules())
        .filteredOn(rule -> rule.kind() != FrameRules.RuleKind.OTHER)
        .filteredOn(rules::needsKernel)
        .extracting(FrameRules.Rule::id)
        .containsExactlyInAnyOrder("socket-copies", "system-calls", "wake-ups", "zeroing");
  }
}
