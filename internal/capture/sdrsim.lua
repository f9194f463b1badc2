-- Dissector for captures of sdrsim: the immediate of RDMA Writes, and the control messages in UD
-- Sends. Load it with: wireshark -X lua_script:sdrsim.lua FILE, or put it into the folder of
-- personal Lua plugins. The layout of control messages is that of package wire.

local sdr = Proto("sdrsim", "SDR")

local WRITE_ONLY_IMM, SEND_ONLY = 0x2b, 0x64
local ACK, NACK, CTS = 1, 2, 3
local FINAL, RANGES, BITMAP = 1, 2, 4
local kinds = {[ACK] = "ACK", [NACK] = "NACK", [CTS] = "CTS"}

local f = {
  message = ProtoField.uint32("sdrsim.message_id", "Message id"),
  packet = ProtoField.uint32("sdrsim.packet", "Packet offset"),
  user = ProtoField.uint32("sdrsim.user", "User fragment", base.HEX),
  kind = ProtoField.uint8("sdrsim.kind", "Control message", base.DEC, kinds),
  flags = ProtoField.uint8("sdrsim.flags", "Flags", base.HEX),
  serial = ProtoField.uint32("sdrsim.message", "Message"),
  cumulative = ProtoField.uint64("sdrsim.cumulative", "Cumulative"),
  posted = ProtoField.uint64("sdrsim.posted", "Receives posted"),
  first = ProtoField.uint64("sdrsim.range.first", "First"),
  count = ProtoField.uint64("sdrsim.range.count", "Count"),
  bitmap = ProtoField.bytes("sdrsim.bitmap", "Bitmap"),
}
sdr.fields = f
sdr.prefs.split = Pref.string("Split of the immediate", "@SPLIT@",
  "Bits of message id, packet offset and user fragment")

local opcode = Field.new("infiniband.bth.opcode")
local immediate = Field.new("infiniband.immdt")

-- split returns the widths of packet offset and user fragment.
local function split()
  local _, offset, user = sdr.prefs.split:match("^(%d+)%+(%d+)%+(%d+)$")
  return tonumber(offset or 18), tonumber(user or 4)
end

-- varint reads an LEB128 number; it returns the value and the offset behind it.
local function varint(buf, at)
  local value, shift = UInt64(0), 0
  while at < buf:len() do
    local byte = buf(at, 1):uint()
    value = value + UInt64(byte % 128):lshift(shift)
    at, shift = at + 1, shift + 7
    if byte < 128 then return value, at end
  end
  error("truncated number")
end

-- ranges reads pairs of gap and count up to the end; next is the unit that a gap of zero names.
local function ranges(buf, at, next, tree)
  local parts = {}
  while at < buf:len() do
    local from, gap, count = at, nil, nil
    gap, at = varint(buf, at)
    count, at = varint(buf, at)
    local first = next + gap
    local branch = tree:add(sdr, buf(from, at - from), "Range")
    branch:add(f.first, buf(from, at - from), first)
    branch:add(f.count, buf(from, at - from), count + 1)
    next = first + count + 2
    if #parts < 4 then
      parts[#parts + 1] = tostring(first) .. ".." .. tostring(first + count)
    elseif #parts == 4 then
      parts[5] = "..."
    end
  end
  return " [" .. table.concat(parts, ", ") .. "]"
end

local function ack(buf, flags, tree)
  local cumulative, at = varint(buf, 6)
  tree:add(f.cumulative, buf(6, at - 6), cumulative)
  if flags == FINAL then return ", final" end
  local text = ", cumulative " .. tostring(cumulative)
  if flags == RANGES then
    return text .. ranges(buf, at, cumulative + 1, tree)
  elseif flags == BITMAP then
    local from, gap = at, nil
    gap, at = varint(buf, at)
    tree:add(f.first, buf(from, at - from), cumulative + gap + 1)
    tree:add(f.bitmap, buf(at))
    return text .. " and a bitmap from " .. tostring(cumulative + gap + 1)
  end
  return text
end

local function control(buf, pinfo, root)
  local kind, flags = buf(0, 1):uint(), buf(1, 1):uint()
  local tree = root:add(sdr, buf())
  tree:add(f.kind, buf(0, 1))
  tree:add(f.flags, buf(1, 1))
  local text = kinds[kind] or "unknown control message"
  if kind == CTS then
    local posted, at = varint(buf, 6)
    tree:add(f.posted, buf(6, at - 6), posted)
    text = text .. ", " .. tostring(posted) .. " receives posted"
  else
    tree:add(f.serial, buf(2, 4))
    text = text .. " message " .. buf(2, 4):uint()
    if kind == ACK then
      text = text .. ack(buf, flags, tree)
    elseif kind == NACK then
      local unit = flags == 1 and ", submessages" or ", chunks"
      text = text .. unit .. ranges(buf, 6, UInt64(0), tree)
    end
  end
  pinfo.cols.protocol = "SDR"
  pinfo.cols.info = text
end

local function data(pinfo, root)
  local range = immediate().range
  local value = range:uint()
  local offset, user = split()
  local message = math.floor(value / 2 ^ (offset + user))
  local packet = math.floor(value / 2 ^ user) % 2 ^ offset
  local tree = root:add(sdr, range)
  tree:add(f.message, range, message)
  tree:add(f.packet, range, packet)
  tree:add(f.user, range, value % 2 ^ user)
  pinfo.cols.protocol = "SDR"
  pinfo.cols.info = string.format("message id %d, packet %d", message, packet)
end

function sdr.dissector(buf, pinfo, root)
  local op = opcode()
  if not op then return end
  if op.value == WRITE_ONLY_IMM then
    data(pinfo, root)
  elseif op.value == SEND_ONLY then
    local bth = 14 + 20 + 8
    local from = bth + 12 + 8 -- behind the DETH
    local padding = math.floor(buf(bth + 1, 1):uint() / 16) % 4
    local length = buf:len() - from - padding - 4
    if length >= 7 then control(buf(from, length):tvb(), pinfo, root) end
  end
end

register_postdissector(sdr, true)
