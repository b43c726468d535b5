mkdir -p /run/sshd ~/.ssh
cp /ssh/id_ed25519 /ssh/authorized_keys ~/.ssh/
chmod 600 ~/.ssh/id_ed25519 ~/.ssh/authorized_keys
printf 'Host *\n  Port 2222\n  StrictHostKeyChecking no\n' > ~/.ssh/config
if [ "$LWS_WORKER_INDEX" != 0 ]; then exec /usr/sbin/sshd -D -p 2222; fi
hosts="$LWS_LEADER_ADDRESS:{{gpus}}"
worker=1
while [ "$worker" -lt "$LWS_GROUP_SIZE" ]; do
  host="${LWS_LEADER_ADDRESS%%.*}-$worker.${LWS_LEADER_ADDRESS#*.}"
  until ssh "$host" true; do sleep 2; done
  hosts="$hosts,$host:{{gpus}}"
  worker=$((worker + 1))
done
